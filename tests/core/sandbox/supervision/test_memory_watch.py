"""Out-of-memory kills are detected from the kernel's counters."""

from __future__ import annotations

import dataclasses
import errno
from pathlib import Path

import pytest

from arena.core.sandbox.supervision.kernel import KERNEL, Kernel
from arena.core.sandbox.supervision.memory import MachineMemoryWatch, MemoryShortage


def kernel_that_counts(*texts: bytes) -> Kernel:
    left = iter(texts)
    return dataclasses.replace(KERNEL, read_at=lambda fd, size, offset: next(left))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            b"pgmajfault 12\noom_kill 3\nnuma_hit 9\n",
            b"pgmajfault 19\noom_kill 4\nnuma_hit 9\n",
            MemoryShortage.MACHINE,
        ),
        (b"oom_kill 3\n", b"oom_kill 3\n", None),
        (b"pgfault 1\n", b"pgfault 2\n", None),
        (b"pgfault 1\n", b"oom_kill 2\n", None),
        (b"oom_kill 2\n", b"", None),
        (b"oom_kill_disable 2\n", b"oom_kill_disable 3\n", None),
    ],
)
def test_only_new_kills_count_as_a_shortage(before: bytes, after: bytes, expected: MemoryShortage | None) -> None:
    assert MachineMemoryWatch(kernel_that_counts(before, after)).shortage() is expected


@pytest.mark.parametrize("call", ["open", "read_at"])
def test_unreadable_counter_reports_nothing(call: str) -> None:
    def refuse(*_: object) -> bytes:
        raise OSError(errno.EIO, "refused")

    watch = MachineMemoryWatch(dataclasses.replace(KERNEL, **{call: refuse}))
    assert watch.shortage() is None


@pytest.mark.skipif(not Path("/proc/vmstat").is_file(), reason="needs Linux's /proc")
def test_no_shortage_without_a_recent_kill() -> None:
    assert MachineMemoryWatch().shortage() is None
