"""How many threads a bot may have where it has no namespace in which they are counted for it alone.

The kernel asks the fork server before each `clone` of a bot (seccomp's user notification), and the server looks how
many threads the bot has.

Invariants:
- Only what the jail's own filter permits, a thread, is ever asked about: a refusal of that filter comes first.
- Letting a call pass is safe, because nothing was decided from memory that the bot could change meanwhile.
- The server never waits for a bot. A bot that asks with all of its threads at once may get that many more, so it has
  never more than twice its limit.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct

from arena.core.sandbox.fences import syscalls

_RECEIVE, _ANSWER = 0xC050_2100, 0xC018_2101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_QUESTION_BYTES = 80  # struct seccomp_notif
_LET_PASS = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE


def send_listener(program: bytes, link: int) -> None:
    """In the jail: have the kernel ask about the calls that `program` names, and hand the questions over."""
    listener = syscalls.install_seccomp_listener(program)
    with socket.socket(fileno=os.dup(link)) as sender:
        socket.send_fds(sender, [b"threads"], [listener])
    os.close(listener)


class ThreadGate:
    """The fork server's side for one jail. Not to be used after `close`."""

    def __init__(self, proc: int, most: int) -> None:
        """proc: descriptor of /proc. most: threads at one time, the main one included."""
        self._proc = proc
        self._most = most
        self._process = 0
        self._listener: int | None = None
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    @property
    def jail_end(self) -> int:
        """The descriptor for the child."""
        return self._theirs.fileno()

    def guard(self, process: int) -> int:
        """From now on it is the gate of this child. The descriptor to be polled next."""
        self._process = process
        self._theirs.close()
        return self._ours.fileno()

    def take(self) -> int | None:
        """Go on where something can be read; what to poll from now on, None if nothing more will come."""
        if self._listener is None:
            _, fds, _, _ = socket.recv_fds(self._ours, 16, 1, socket.MSG_CMSG_CLOEXEC)
            self._listener = fds[0] if fds else None
        else:
            self._answer(self._listener)
        return self._listener

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()
        if self._listener is not None:
            os.close(self._listener)
            self._listener = None

    def _answer(self, listener: int) -> None:
        question = bytearray(_QUESTION_BYTES)
        try:
            fcntl.ioctl(listener, _RECEIVE, question)
            (number,) = struct.unpack_from("Q", question)
            verdict = (0, _LET_PASS) if self._threads() < self._most else (-errno.EAGAIN, 0)
            fcntl.ioctl(listener, _ANSWER, struct.pack("Qqii", number, 0, *verdict))
        except OSError:
            return  # it died while it asked: the kernel has several ways to say so

    def _threads(self) -> int:
        """The folder of its tasks has a link for each of them besides the usual two."""
        return os.stat(f"{self._process}/task", dir_fd=self._proc).st_nlink - 2
