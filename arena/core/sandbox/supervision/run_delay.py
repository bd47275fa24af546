"""Measure how long a thread was ready to run but had to wait for a core.

Invariant: if the kernel does not count it, or the thread has ended, the last known value is returned.
"""

from __future__ import annotations

import contextlib
import os


class RunDelay:
    """The run delay of one thread since its start. Not usable after `close`."""

    def __init__(self, process: int | None = None) -> None:
        """Open the counters. process: the process whose main thread is measured; None for the calling thread."""
        self._seconds = 0.0
        self._file: int | None = None
        try:
            self._file = os.open(f"/proc/{process or 'thread-self'}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no scheduler statistics, or the thread has already ended
            return

    def seconds(self) -> float:
        if self._file is not None:
            try:
                self._seconds = int(os.pread(self._file, 128, 0).split()[1]) / 1e9
            except OSError:  # the thread has just ended
                return self._seconds
        return self._seconds

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # Linux has released the descriptor, whatever close returns
                os.close(self._file)
            self._file = None
