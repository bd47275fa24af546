"""Assign each running bot its own host UID, so that no two bots share a per-user limit or counter.

This requires mapping many ids into a user namespace, which only root with CAP_SYS_ADMIN may do. Otherwise all bots run
as the same user, each in its own user namespace.

Invariants:
- The range is above all ids assigned by distributions, containers and directory services, and never contains 0.
- Each fork server draws a block of the range at random. If two servers draw the same block, their bots share user ids,
  but nothing else.
"""

from __future__ import annotations

import os
from collections import deque
from typing import Final

INSIDE_ID: Final = 1000  # every bot's user id inside its jail
COUNT: Final = 1024  # number of ids per fork server
FIRST_INSIDE: Final = 2000  # first of these ids as seen in the fork server
_FIRST, _BLOCKS = 1_900_000_000, 100_000
_FAILED = 1


class IdPool:
    """The ids that a fork server assigns to its bots. Released ids are reused in the order of their release."""

    def __init__(self, count: int) -> None:
        self._free = deque(range(FIRST_INSIDE, FIRST_INSIDE + count))

    def take_id(self) -> int | None:
        """Take an id; return None if none is left."""
        return self._free.popleft() if self._free else None

    def release_id(self, number: int | None) -> None:
        if number is not None:
            self._free.append(number)


class IdMapper:
    """A process that remains root, to map user and group ids into the namespace that its parent creates."""

    def __init__(self, proc: int, uid: int, gid: int) -> None:
        """Fork the process. The caller must be root and single-threaded, and will switch to ``uid`` and ``gid``."""
        reader, self._writer = os.pipe()
        parent = os.getpid()
        self._child = os.fork()
        if self._child == 0:
            os.close(self._writer)
            try:
                begun = os.read(reader, 1)
                os._exit(0 if begun and _map_ids(proc, parent, uid, gid) else _FAILED)
            finally:
                os._exit(_FAILED)
        os.close(reader)

    def map(self) -> int:
        """Map ids in the new namespace.

        Returns how many were mapped besides the parent's own id, 0 if nothing changed.
        """
        os.write(self._writer, b"m")
        os.close(self._writer)
        _, status = os.waitpid(self._child, 0)
        return COUNT if status == 0 else 0


def _map_ids(proc: int, process: int, uid: int, gid: int) -> bool:
    first = _FIRST + int.from_bytes(os.urandom(4)) % _BLOCKS * COUNT
    if not (_maps_whole_block(proc, "uid_map", first) and _maps_whole_block(proc, "gid_map", first)):
        return False  # root of a container that has only a few ids
    _write(proc, f"{process}/setgroups", "deny")
    for name, own in (("gid_map", gid), ("uid_map", uid)):
        _write(proc, f"{process}/{name}", f"{INSIDE_ID} {own} 1\n{FIRST_INSIDE} {first} {COUNT}\n")
    return True


def _maps_whole_block(proc: int, name: str, first: int) -> bool:
    """Return whether the current user namespace maps the whole block of ids that starts at ``first``."""
    fd = os.open(f"self/{name}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    with open(fd, encoding="ascii") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return any(inside <= first and first + COUNT <= inside + length for inside, _, length in ranges)


def _write(proc: int, path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
