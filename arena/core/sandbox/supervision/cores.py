"""Assign a core to each match; while cores are free, no two matches share one.

Invariant: a core is held by a file lock, which the kernel releases when its holder exits, so a killed worker leaves
nothing behind. If there are more matches than cores, the matches are spread evenly by their numbers; this costs bots
none of their time, because waiting for a core is not charged.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


class CorePool:
    """A pool of cores, shared with every process that uses the same folder.

    ``cores``: by default those that are available to this process.
    """

    def __init__(self, folder: Path, cores: Sequence[int] | None = None) -> None:
        self._folder = folder
        self._cores = tuple(sorted(os.sched_getaffinity(0))) if cores is None else tuple(cores)

    @contextmanager
    def take_core(self, number: int) -> Iterator[int]:
        """Hold a core for match ``number``, exclusively if one is free; yield the number of the core."""
        first = number % len(self._cores)
        wanted = self._cores[first:] + self._cores[:first]
        self._folder.mkdir(parents=True, exist_ok=True)
        for core in wanted:
            lock = os.open(self._folder / str(core), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            try:
                yield core
            finally:
                os.close(lock)
            return
        yield wanted[0]
