"""The log of one bot, an anonymous file in memory.

Invariants:
- The bot and the worker have opened it separately, so their descriptors share neither flags nor position.
- The bot can only append. Nobody can shorten the file, so positions in it remain valid.
- Reading never raises: neither a bot's manipulation of its log nor a failure to read it decides a match.
"""

from __future__ import annotations

import fcntl
import os

from arena.core.sandbox.supervision.kernel import KERNEL, Kernel

_APPEND_ONLY = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC


class BotLog:
    """A bot's log as the worker reads it.

    most: maximum bytes to read. The jail's own limit keeps the bot from writing more.
    """

    def __init__(self, most: int, kernel: Kernel = KERNEL) -> None:
        """Create the file. Raises OSError."""
        self._most = most
        self._kernel = kernel
        self._seen = 0
        self._kept = b""
        self._fd: int | None = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(self._fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)

    def open_for_bot(self) -> int:
        """Open a new descriptor for a bot's standard output and error; the caller closes it. Raises OSError."""
        return self._kernel.open(f"/proc/self/fd/{self._fd}", _APPEND_ONLY)

    def read(self) -> bytes:
        """Read the whole log; return the last known content if it is unreadable or closed."""
        if self._fd is not None:
            try:
                self._kept = self._kernel.read_at(self._fd, self._most, 0)
            except OSError:
                return self._kept
        return self._kept

    def size(self) -> int:
        """Return the size of the log in bytes; the last known size if it is unreadable or closed."""
        if self._fd is not None:
            try:
                self._seen = min(self._kernel.status(self._fd).st_size, self._most)
            except OSError:
                return self._seen
        return self._seen

    def close(self) -> None:
        """Close the file; ``read`` then still returns its last content. Idempotent."""
        if self._fd is None:
            return
        self._seen = len(self.read())
        fd, self._fd = self._fd, None
        try:
            self._kernel.close(fd)
        except OSError:
            return  # Linux releases the descriptor, whatever close returns
