"""A thread's waiting time for a core is read from the kernel, and remains available after the thread has ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.core.sandbox.outside.run_delay import RunDelay

NO_PROCESS = 2**22 + 1  # above the kernel's highest process id


def test_delay_of_the_calling_thread_matches_the_kernel() -> None:
    kernel = Path("/proc/thread-self/schedstat")
    delay = RunDelay()
    before = int(kernel.read_text().split()[1])
    assert before / 1e9 <= delay.seconds() <= int(kernel.read_text().split()[1]) / 1e9
    delay.close()


def test_delay_of_an_ended_process_remains_available() -> None:
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
        delay = RunDelay(process.pid)
        seen = delay.seconds()
        process.kill()
    assert delay.seconds() == seen > 0
    delay.close()


def test_delay_of_a_missing_process_is_zero_without_a_descriptor() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    delay = RunDelay(NO_PROCESS)
    assert delay.seconds() == 0
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    delay.close()
    delay.close()
