"""The time that a thread waits for a core is read from the kernel, and stays available after the thread has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.sandbox.supervision.run_delay import RunDelay

NO_PROCESS = 2**22 + 1  # above the kernel's highest process id


def test_delay_of_the_calling_thread_matches_the_kernel() -> None:
    kernel = Path("/proc/thread-self/schedstat")
    delay = RunDelay()
    before = int(kernel.read_text().split()[1])
    assert before / 1e9 <= delay.seconds() <= int(kernel.read_text().split()[1]) / 1e9
    delay.close()


@pytest.fixture
def one_core() -> Iterator[None]:
    """Restrict this process and its children to one core, so that they have to wait for it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("one_core")
def test_delay_of_an_ended_process_remains_available() -> None:
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) as process:
        delay = RunDelay(process.pid)
        until = time.monotonic() + 60
        while not (seen := delay.seconds()):  # this loop takes the core from the process
            assert time.monotonic() < until, "the process never waited for its core"
        process.kill()
    assert delay.seconds() >= seen > 0
    delay.close()


def test_delay_of_a_missing_process_is_zero_without_a_descriptor() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    delay = RunDelay(NO_PROCESS)
    assert delay.seconds() == 0
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    delay.close()
    delay.close()
