"""Detect out-of-memory kills by the kernel, which are otherwise indistinguishable from any other SIGKILL."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from typing import Protocol

from arena.core.sandbox.supervision.kernel import KERNEL, Kernel

_KILLS = re.compile(rb"^oom_kill (\d+)$", re.MULTILINE)
_MAX_READ_BYTES = 65_536


class MemoryShortage(StrEnum):
    """The memory that ran out: the bot's own or the machine's."""

    OWN = "own"  # the process reached its own limit, such as that of its control group
    MACHINE = "machine"  # the machine, or the container around the worker, ran out


class MemoryWatch(Protocol):
    """A watch on the kernel's counters of out-of-memory kills: detects that memory ran out while a process ran."""

    def shortage(self) -> MemoryShortage | None:
        """Return which kind of memory ran out, or None if none did or the kernel does not report it. Never raises."""


class MachineMemoryWatch:
    """A watch on the machine-wide counter of out-of-memory kills, which includes those in all control groups.

    It does not identify the killed process, so it is read only for a process killed by SIGKILL.
    """

    def __init__(self, kernel: Kernel = KERNEL) -> None:
        """Read the initial counters; call this before the process starts."""
        self._kernel = kernel
        self._before = self._kills()

    def shortage(self) -> MemoryShortage | None:
        now = self._kills()
        if self._before is None or now is None or now <= self._before:
            return None
        return MemoryShortage.MACHINE

    def _kills(self) -> int | None:
        try:
            fd = self._kernel.open("/proc/vmstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            found = _KILLS.search(self._kernel.read_at(fd, _MAX_READ_BYTES, 0))
        except OSError:
            return None
        finally:
            os.close(fd)
        return None if found is None else int(found[1])
