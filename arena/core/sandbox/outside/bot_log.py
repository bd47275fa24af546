"""What one bot prints, in a file in memory that has no name.

Invariants:
- The bot and the worker hold descriptors of their own: neither shares its flags nor its position with the other.
- The bot can append and do nothing else. Nobody can shorten the file, so a place in it stays what it was.
- Reading never raises: nothing that a bot does to its log, and no failure of ours to read it, decides a match.
"""

from __future__ import annotations

import fcntl
import os

from arena.core.sandbox.outside.kernel import KERNEL, Kernel

_APPEND_ONLY = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC


class BotLog:
    """The worker's end.

    most: bytes that are ever read of it. The jail's own limit keeps the bot from writing more.
    """

    def __init__(self, most: int, kernel: Kernel = KERNEL) -> None:
        """Raises OSError."""
        self._most = most
        self._kernel = kernel
        self._seen = 0
        self._kept = b""
        self._fd: int | None = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(self._fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)

    def open_for_bot(self) -> int:
        """A new descriptor for a bot's standard output and error; the caller's to close. Raises OSError."""
        return self._kernel.open(f"/proc/self/fd/{self._fd}", _APPEND_ONLY)

    def read(self) -> bytes:
        """All of it; what was read last if it cannot be read, or is closed."""
        if self._fd is not None:
            try:
                self._kept = self._kernel.read_at(self._fd, self._most, 0)
            except OSError:
                return self._kept
        return self._kept

    def size(self) -> int:
        """Its bytes so far; what was seen last if that cannot be found out, or it is closed."""
        if self._fd is not None:
            try:
                self._seen = min(self._kernel.status(self._fd).st_size, self._most)
            except OSError:
                return self._seen
        return self._seen

    def close(self) -> None:
        """Keep what is in it and let go of the file. May be called again."""
        if self._fd is None:
            return
        self._seen = len(self.read())
        fd, self._fd = self._fd, None
        try:
            self._kernel.close(fd)
        except OSError:
            return  # Linux releases the descriptor whatever close answers
