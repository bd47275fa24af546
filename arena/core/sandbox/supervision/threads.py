"""Read the kernel scheduler's counters for each thread of a process.

Invariants:
- A process with one thread costs one read and one fstat. The folder of threads is listed only if there are several.
- Descriptors identify threads: thread ids can be reused, descriptors cannot.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from arena.core.sandbox.supervision.kernel import KERNEL, Kernel

_LINKS_WITHOUT_THREADS = 2  # every folder has two links


# Errors that indicate that a thread has ended: when reading its open files, and when opening them by name.
ENDED = (ProcessLookupError, FileNotFoundError)


class ThreadTimes(NamedTuple):
    """The totals since the thread started; times are in nanoseconds.

    cpu: time on a core; up to a tick late while the thread is running.
    waited: time in which it was runnable but had no core. A wait is added when the thread gets a core, so a wait in
    progress is not included.
    slices: how many times it got a core.
    runnable: whether it has or needs a core now; False if not requested.
    """

    cpu: int
    waited: int
    slices: int
    runnable: bool = False


def read_times(file: int, kernel: Kernel = KERNEL) -> ThreadTimes:
    """Read the times from an open /proc/.../schedstat.

    Raises OSError once the thread has ended, and ValueError if the content has an unexpected format.
    """
    cpu, waited, slices = kernel.read_at(file, 128, 0).split()
    return ThreadTimes(int(cpu), int(waited), int(slices))


class Threads:
    """The threads of another process. Not usable after `close`."""

    def __init__(self, process: int, kernel: Kernel = KERNEL) -> None:
        self._kernel = kernel
        self._main = process
        self._path = f"/proc/{process}/task"
        self._folder = _open_counters(self._path, os.O_DIRECTORY)
        self._files: dict[int, int] = {}
        self._open_file(process)

    @property
    def is_visible(self) -> bool:
        """Return whether this system's /proc shows the process."""
        return self._folder is not None

    def read_main_thread(self) -> ThreadTimes | None:
        """Return the main thread's times; None if it has ended or the kernel records no times.

        Raises OSError or ValueError.
        """
        file = self._files.get(self._main)
        if file is None:
            return None
        try:
            return read_times(file, self._kernel)
        except ENDED:
            return None

    def read(self, *, states: bool = False) -> dict[int, ThreadTimes] | None:
        """Return the times of all threads by id; None once the process has been reaped. Raises OSError or ValueError.

        states: include `ThreadTimes.runnable`, which takes twice as long.
        """
        found: dict[int, ThreadTimes] = {}
        self._read((self._main,), found, states)
        count = 1 if self._folder is None else self._kernel.status(self._folder).st_nlink - _LINKS_WITHOUT_THREADS
        if count > 1:
            self._find_threads()
        elif len(self._files) > 1:
            self._close_files(set(self._files) - {self._main})
        if len(self._files) > 1:
            self._read(self._files.keys() - {self._main}, found, states)
        return found if count else None

    def close(self) -> None:
        self._close_files(set(self._files))
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def _read(self, threads: Iterable[int], found: dict[int, ThreadTimes], states: bool) -> None:
        for thread in threads:
            try:
                times = read_times(self._files[thread], self._kernel)
                found[thread] = times._replace(runnable=self._is_runnable(thread)) if states else times
            except (*ENDED, KeyError):  # the thread has just ended, or the kernel keeps no statistics
                continue

    def _is_runnable(self, thread: int) -> bool:
        with open(f"{self._path}/{thread}/stat", "rb", buffering=0) as file:
            return file.read(512).rpartition(b") ")[2].startswith(b"R")  # after its name, which is in parentheses

    def _find_threads(self) -> None:
        try:
            alive = {int(name) for name in os.listdir(self._path)}  # noqa: PTH208 - pathlib would make paths of them
        except ENDED:  # the process has ended
            return
        self._close_files(set(self._files) - alive)
        for thread in alive - set(self._files):
            self._open_file(thread)

    def _open_file(self, thread: int) -> None:
        file = _open_counters(f"{self._path}/{thread}/schedstat")
        if file is not None:
            self._files[thread] = file

    def _close_files(self, threads: set[int]) -> None:
        for thread in threads:
            os.close(self._files.pop(thread))


def _open_counters(path: str, flags: int = 0) -> int | None:
    """Open the counters; None if the kernel does not record them, or if the thread has ended."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
    except OSError:
        return None
