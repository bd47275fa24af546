"""Classify how a jailed process ended."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from enum import StrEnum

from arena.core.sandbox.isolation.seccomp import FROM_OUTSIDE
from arena.core.sandbox.supervision.memory import MemoryShortage, MemoryWatch


class ExitReason(StrEnum):
    """The reason why a process ended. The referee decides what it means for a match."""

    EXITED = "exited"  # not killed; `code` is its exit status, 1 after an uncaught exception
    CRASHED = "crashed"  # killed by a signal that it caused itself, such as SIGSEGV or SIGABRT
    KILLED = "killed"  # killed by the arena
    CPU_LIMIT = "cpu_limit"  # exceeded its total CPU time
    OUT_OF_MEMORY = "out_of_memory"  # killed by the kernel because the machine ran out of memory; not the bot's fault
    MEMORY_LIMIT = "memory_limit"  # killed by the kernel at its own memory limit
    KILLED_FROM_OUTSIDE = "killed_from_outside"  # a signal from outside that neither the arena nor the kernel sent
    LOG_LIMIT = "log_limit"  # exceeded the file size limit without handling the signal
    FORBIDDEN_CALL = "forbidden_call"  # a system call of a foreign architecture


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """The end of a process. ``code`` is set if it exited, ``signal`` if a signal killed it; never both."""

    reason: ExitReason
    code: int | None = None
    signal: int | None = None


_REASON_OF_SIGNAL: dict[int, ExitReason] = {
    signal.SIGXCPU: ExitReason.CPU_LIMIT,
    signal.SIGXFSZ: ExitReason.LOG_LIMIT,
    signal.SIGSYS: ExitReason.FORBIDDEN_CALL,
}
_REASON_OF_SHORTAGE = {MemoryShortage.OWN: ExitReason.MEMORY_LIMIT, MemoryShortage.MACHINE: ExitReason.OUT_OF_MEMORY}


def classify_exit(
    wait_status: int, cpu_seconds: float, cpu_limit: int, killed_by_us: bool, memory: MemoryWatch
) -> ProcessExit:
    """Classify a wait(2) status together with other evidence.

    A bot can neither send itself the signals in FROM_OUTSIDE nor cause them in any other way. SIGKILL can come from the
    arena, from the CPU limit, from the kernel's OOM killer, or from another process; only the kernel's counters
    distinguish the last two.
    """
    if os.WIFEXITED(wait_status):
        return ProcessExit(ExitReason.EXITED, code=os.WEXITSTATUS(wait_status))
    number = os.WTERMSIG(wait_status)
    if number != signal.SIGKILL:
        otherwise = ExitReason.KILLED_FROM_OUTSIDE if number in FROM_OUTSIDE else ExitReason.CRASHED
        return ProcessExit(_REASON_OF_SIGNAL.get(number, otherwise), signal=number)
    if killed_by_us:
        reason = ExitReason.KILLED
    elif (shortage := memory.shortage()) is not None:
        reason = _REASON_OF_SHORTAGE[shortage]
    # The kernel enforces the limit in whole ticks but reports precisely: on a busy virtual machine the two differ.
    elif cpu_seconds >= cpu_limit / 2:
        reason = ExitReason.CPU_LIMIT
    else:
        reason = ExitReason.KILLED_FROM_OUTSIDE
    return ProcessExit(reason, signal=number)
