"""How a jailed process ended."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from enum import StrEnum


class ExitReason(StrEnum):
    """Why the process is gone. What it means for a match is the referee's business."""

    EXITED = "exited"  # by itself: `code` says how; an uncaught exception is code 1
    CRASHED = "crashed"  # a signal of its own making, such as SIGSEGV or SIGABRT
    KILLED = "killed"  # by us
    CPU_LIMIT = "cpu_limit"  # used up the CPU time of its whole life
    OUT_OF_MEMORY = "out_of_memory"  # killed by the machine, which ran short of memory; not the bot's doing
    LOG_LIMIT = "log_limit"  # wrote past the longest permitted file and had chosen to die of that
    FORBIDDEN_CALL = "forbidden_call"  # a system call of a foreign architecture


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """code is set if the process exited, signal if it was killed; never both."""

    reason: ExitReason
    code: int | None = None
    signal: int | None = None


_REASON_OF_SIGNAL: dict[int, ExitReason] = {
    signal.SIGXCPU: ExitReason.CPU_LIMIT,
    signal.SIGXFSZ: ExitReason.LOG_LIMIT,
    signal.SIGSYS: ExitReason.FORBIDDEN_CALL,
}


def classify(wait_status: int, cpu_seconds: float, cpu_limit: int, killed_by_us: bool) -> ProcessExit:
    """Read a status of wait(2) together with what else is known.

    SIGKILL can come from us, from the CPU limit or from the kernel's memory killer: a bot is alone in its
    process-id namespace and can send it to nobody, itself included.
    """
    if os.WIFEXITED(wait_status):
        return ProcessExit(ExitReason.EXITED, code=os.WEXITSTATUS(wait_status))
    number = os.WTERMSIG(wait_status)
    if number != signal.SIGKILL:
        return ProcessExit(_REASON_OF_SIGNAL.get(number, ExitReason.CRASHED), signal=number)
    # The kernel counts the limit in whole ticks, what it reports precisely: on a busy virtual machine the two differ.
    if killed_by_us:
        reason = ExitReason.KILLED
    elif cpu_seconds >= cpu_limit / 2:
        reason = ExitReason.CPU_LIMIT
    else:
        reason = ExitReason.OUT_OF_MEMORY
    return ProcessExit(reason, signal=number)
