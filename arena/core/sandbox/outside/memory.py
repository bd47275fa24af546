"""Whether the kernel has ended processes because memory ran out: nothing else tells that from any other SIGKILL."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from typing import Protocol

from arena.core.sandbox.outside.kernel import KERNEL, Kernel

_KILLS = re.compile(rb"^oom_kill (\d+)$", re.MULTILINE)
_LONGEST = 65_536


class Shortage(StrEnum):
    """Whose memory ran out."""

    OWN = "own"  # the process reached a limit that is its own, such as that of its control group
    MACHINE = "machine"  # the machine, or the container around the worker, had no more


class MemoryWatch(Protocol):
    """The kernel's counters, as far as they concern one process, since that process started."""

    def shortage(self) -> Shortage | None:
        """Whose memory ran out, None if nobody's did or the kernel does not say. Raises nothing."""


class MachineMemoryWatch:
    """The machine's own counter, which counts kills in every control group as well.

    It cannot say which process was killed, so it is asked only about one that a SIGKILL has ended.
    """

    def __init__(self, kernel: Kernel = KERNEL) -> None:
        """To be made before the process starts."""
        self._kernel = kernel
        self._before = self._kills()

    def shortage(self) -> Shortage | None:
        now = self._kills()
        if self._before is None or now is None or now <= self._before:
            return None
        return Shortage.MACHINE

    def _kills(self) -> int | None:
        try:
            fd = self._kernel.open("/proc/vmstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            found = _KILLS.search(self._kernel.read_at(fd, _LONGEST, 0))
        except OSError:
            return None
        finally:
            os.close(fd)
        return None if found is None else int(found[1])
