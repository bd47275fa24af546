"""Run one benchmark in its own process group and temporary folder, with a time limit.

Invariant: when ``run_benchmark`` returns, the process group has ended and the folder is gone, whatever happened.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from arena.platform.parent_death import die_with_parent
from bench.table import Section


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark; ``where``: "module:function" that returns a Section; ``seconds``: the time limit."""

    where: str
    seconds: float


def run_benchmark(benchmark: Benchmark) -> Section | None:
    """Run a benchmark and return its section.

    Return None if it failed or timed out, which is reported on standard error.
    """
    context = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="arena-bench-")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(benchmark.where, folder, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(benchmark.seconds):
            print(f"{benchmark.where} took longer than {benchmark.seconds:g} s", file=sys.stderr)
            return None
        section: Section | None = ours.recv()
        return section
    except EOFError:
        return None
    finally:
        process.join(1)
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()  # in case it has not created its own group yet
        process.join()
        shutil.rmtree(folder, ignore_errors=True)


def _measure(where: str, folder: str, answer: Connection) -> None:
    os.setsid()
    die_with_parent()
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    module, _, function = where.partition(":")
    try:
        answer.send(getattr(importlib.import_module(module), function)())
    except BaseException:  # noqa: BLE001 - the other benchmarks continue
        traceback.print_exc()
        answer.send(None)
