"""Messages between the worker and the fork server.

Invariant: one SEQPACKET message is one JSON object with its descriptors; both ends belong to the arena, and no bot ever
holds a descriptor of either.
"""

from __future__ import annotations

import array
import json
import os
import socket
from collections.abc import Mapping, Sequence
from typing import Any

_MAX_MESSAGE_BYTES = 65_536
_MAX_FDS = 8


def send(link: socket.socket, message: Mapping[str, Any], fds: Sequence[int] = ()) -> None:
    """Send a message. Raises OSError if the other end is closed."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    link.sendmsg([json.dumps(message).encode()], rights)


def receive(link: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Receive the next message and its descriptors (close-on-exec). Raises EOFError if the other end is closed."""
    room = socket.CMSG_SPACE(_MAX_FDS * array.array("i").itemsize)
    data, ancillary, flags, _ = link.recvmsg(_MAX_MESSAGE_BYTES, room, socket.MSG_CMSG_CLOEXEC)
    fds = array.array("i")
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
    if not data or flags & socket.MSG_CTRUNC:
        for fd in fds:
            os.close(fd)
        if data:
            raise OSError("out of file descriptors: some descriptors of a message were lost")
        raise EOFError("the other end of the control socket is closed")
    message: dict[str, Any] = json.loads(data)
    return message, list(fds)
