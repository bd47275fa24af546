"""Reading a wait status."""

from __future__ import annotations

import signal

import pytest

from arena.sandbox.outside.exits import ExitReason, ProcessExit, classify


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
        (signal.SIGKILL, 1, False, ProcessExit(ExitReason.OUT_OF_MEMORY, signal=signal.SIGKILL)),
        (signal.SIGKILL, 9.1, False, ProcessExit(ExitReason.CPU_LIMIT, signal=signal.SIGKILL)),
        (33, 1, False, ProcessExit(ExitReason.CRASHED, signal=33)),
    ],
)
def test_classify(status: int, cpu: float, killed: bool, expected: ProcessExit) -> None:
    assert classify(status, cpu, cpu_limit=10, killed_by_us=killed) == expected
