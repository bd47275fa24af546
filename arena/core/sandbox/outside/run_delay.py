"""How long a thread could have run but had no core: what the machine, and not the thread, is to blame for.

Invariant: a kernel that does not count it, and a thread that has ended, have waited for as long as was last seen.
"""

from __future__ import annotations

import contextlib
import os


class RunDelay:
    """Of one thread, since that started. Not to be used after `close`."""

    def __init__(self, process: int | None = None) -> None:
        """process: its main thread; None: the calling thread."""
        self._seconds = 0.0
        self._file: int | None = None
        try:
            self._file = os.open(f"/proc/{process or 'thread-self'}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # a kernel without scheduler statistics, or it has ended already
            return

    def seconds(self) -> float:
        if self._file is not None:
            try:
                self._seconds = int(os.pread(self._file, 128, 0).split()[1]) / 1e9
            except OSError:  # it has just ended
                return self._seconds
        return self._seconds

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # whatever close answers, Linux has released the descriptor
                os.close(self._file)
            self._file = None
