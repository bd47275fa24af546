"""Interpreting a wait status."""

from __future__ import annotations

import signal

import pytest

from arena.core.sandbox.outside.exits import ExitReason, ProcessExit, classify
from arena.core.sandbox.outside.memory import Shortage


class Watch:
    """Scripted values of the kernel's counters."""

    def __init__(self, seen: Shortage | None) -> None:
        self._seen = seen

    def shortage(self) -> Shortage | None:
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
    assert classify(status, cpu, cpu_limit=10, killed_by_us=killed, memory=Watch(None)) == expected


@pytest.mark.parametrize(
    ("seen", "expected"), [(Shortage.OWN, ExitReason.MEMORY_LIMIT), (Shortage.MACHINE, ExitReason.OUT_OF_MEMORY)]
)
@pytest.mark.parametrize("cpu", [0.1, 9.9])
def test_memory_kill_requires_a_kill_counted_by_the_kernel(seen: Shortage, expected: ExitReason, cpu: float) -> None:
    assert classify(signal.SIGKILL, cpu, 10, killed_by_us=False, memory=Watch(seen)).reason is expected
    assert classify(signal.SIGKILL, cpu, 10, killed_by_us=True, memory=Watch(seen)).reason is ExitReason.KILLED
    assert classify(0, cpu, 10, killed_by_us=False, memory=Watch(seen)).reason is ExitReason.EXITED
