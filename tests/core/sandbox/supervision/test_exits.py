"""Exits are classified by wait status, CPU time and the kernel's memory counters."""

from __future__ import annotations

import signal

import pytest

from arena.core.sandbox.supervision.exits import ExitReason, ProcessExit, classify_exit
from arena.core.sandbox.supervision.memory import MemoryShortage


class ScriptedMemoryWatch:
    """A watch that reports the memory shortage that the test chooses, instead of reading the kernel's counters."""

    def __init__(self, seen: MemoryShortage | None) -> None:
        self._seen = seen

    def shortage(self) -> MemoryShortage | None:
        return self._seen


@pytest.mark.parametrize(
    ("status", "cpu", "killed", "expected"),
    [
        (0, 1, False, ProcessExit(ExitReason.EXITED, code=0)),
        (3 << 8, 1, True, ProcessExit(ExitReason.EXITED, code=3)),
        (signal.SIGSEGV | 0x80, 1, False, ProcessExit(ExitReason.CRASHED, signal=signal.SIGSEGV)),
        (signal.SIGSYS, 1, False, ProcessExit(ExitReason.FORBIDDEN_CALL, signal=signal.SIGSYS)),
        (signal.SIGXFSZ, 1, False, ProcessExit(ExitReason.LOG_LIMIT, signal=signal.SIGXFSZ)),
        (signal.SIGXCPU, 1, False, ProcessExit(ExitReason.CPU_LIMIT, signal=signal.SIGXCPU)),
        (signal.SIGKILL, 1, True, ProcessExit(ExitReason.KILLED, signal=signal.SIGKILL)),
        (signal.SIGKILL, 1, False, ProcessExit(ExitReason.KILLED_FROM_OUTSIDE, signal=signal.SIGKILL)),
        (signal.SIGKILL, 9.1, False, ProcessExit(ExitReason.CPU_LIMIT, signal=signal.SIGKILL)),
        (signal.SIGTERM, 1, False, ProcessExit(ExitReason.KILLED_FROM_OUTSIDE, signal=signal.SIGTERM)),
        (33, 1, False, ProcessExit(ExitReason.CRASHED, signal=33)),
    ],
)
def test_exit_is_classified_by_status_and_cpu_time(
    status: int, cpu: float, killed: bool, expected: ProcessExit
) -> None:
    assert classify_exit(status, cpu, cpu_limit=10, killed_by_us=killed, memory=ScriptedMemoryWatch(None)) == expected


@pytest.mark.parametrize(
    ("seen", "expected"),
    [(MemoryShortage.OWN, ExitReason.MEMORY_LIMIT), (MemoryShortage.MACHINE, ExitReason.OUT_OF_MEMORY)],
)
@pytest.mark.parametrize("cpu", [0.1, 9.9])
def test_memory_kill_requires_a_kill_counted_by_the_kernel(
    seen: MemoryShortage, expected: ExitReason, cpu: float
) -> None:
    assert (
        classify_exit(signal.SIGKILL, cpu, 10, killed_by_us=False, memory=ScriptedMemoryWatch(seen)).reason is expected
    )
    assert (
        classify_exit(signal.SIGKILL, cpu, 10, killed_by_us=True, memory=ScriptedMemoryWatch(seen)).reason
        is ExitReason.KILLED
    )
    assert classify_exit(0, cpu, 10, killed_by_us=False, memory=ScriptedMemoryWatch(seen)).reason is ExitReason.EXITED
