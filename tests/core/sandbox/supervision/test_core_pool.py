"""Matches get separate cores while any are free, and share them evenly after that."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from arena.core.sandbox.supervision.cores import CorePool


def test_parallel_matches_get_different_cores(tmp_path: Path) -> None:
    with CorePool(tmp_path, [2, 5]).take_core(8) as one, CorePool(tmp_path, [2, 5]).take_core(10) as other:
        assert {one, other} == {2, 5}


def test_released_core_is_assigned_again(tmp_path: Path) -> None:
    pool = CorePool(tmp_path, [0, 1])
    with pool.take_core(0) as first:
        assert first == 0
    with pool.take_core(0) as again:
        assert again == 0


def test_more_matches_than_cores_share_them_evenly(tmp_path: Path) -> None:
    pool = CorePool(tmp_path, [0, 1, 2])
    with ExitStack() as stack:
        for number in range(3):
            stack.enter_context(pool.take_core(number))
        shared = [stack.enter_context(pool.take_core(number)) for number in range(6)]
    assert sorted(shared) == [0, 0, 1, 1, 2, 2]


def test_killed_holder_frees_its_core(tmp_path: Path) -> None:
    held = (
        "import sys; from pathlib import Path; from arena.core.sandbox.supervision.cores import CorePool\n"
        "with CorePool(Path(sys.argv[1]), [7]).take_core(0) as core:\n"
        "    print(core, flush=True); sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", held, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    with holder.stdin, holder.stdout:
        assert holder.stdout.readline() == "7\n"
        with CorePool(tmp_path, [7, 8]).take_core(0) as other:
            assert other == 8
        holder.kill()
        holder.wait()
    with CorePool(tmp_path, [7, 8]).take_core(0) as freed:
        assert freed == 7


def test_default_pool_has_only_cores_available_to_this_process(tmp_path: Path) -> None:
    with CorePool(tmp_path).take_core(3) as core:
        assert core in os.sched_getaffinity(0)
