"""2584 solved: all values beside plain recursion, their memory, and one answer of the protocol."""

from __future__ import annotations

import subprocess
import sys

from bench.measure import Sample, interleaved, timed
from bench.table import Beside, Goal, Row, Section, Unit
from bots.fib2584.house.engine.solver import solve
from bots.fib2584.solve import Solver

RUNS = 5
ANSWERS = 20_000
QUESTIONS = ("b 2 2 0 0 0 0", "a 0 0 0 0 1 2", "b 1 1 0 0 0 1", "a 2 2 2 2 2 2")

_MEMORY = """
import resource
from bots.fib2584.house.engine.solver import solve
solve()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
_RECURSION = """
import sys, time
from functools import cache
from bots.fib2584.house.engine.board import canonical, dropped, slides
sys.setrecursionlimit(20_000)
@cache
def before(board):
    return max((reward + after(canonical(slid)) for _, slid, reward in slides(board)), default=0.0)
@cache
def after(board):
    return sum(chance * before(canonical(found)) for found, chance in dropped(board))
began = time.perf_counter()
empty = (0,) * 6
sum(one * other * before(canonical(second)) for first, one in dropped(empty) for second, other in dropped(first))
print(time.perf_counter() - began)
"""


def run() -> Section:
    """Goals: all values within 1 s and 150 MB, an answer within 10 us."""
    ours = interleaved({"ours": timed(solve)}, RUNS, seconds=20)["ours"]
    floor = Sample((float(_printed(_RECURSION)),))
    memory = Sample((float(_printed(_MEMORY)) / 1e6,))
    rows = (
        Row("all values", ours, (Beside("floor: plain recursion in Python", floor),), Goal(1.0)),
        Row("memory of a process that has them", memory, goal=Goal(150), unit=Unit.MEGABYTES),
        Row("one answer", _answers(), goal=Goal(10e-6)),
    )
    return Section("2584 on 2x3 solved", rows)


def _printed(program: str) -> str:
    """Return the output of a new process."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def _answers() -> Sample:
    solver = Solver(solve())

    def answer() -> None:
        for number in range(ANSWERS):
            solver.answer(QUESTIONS[number % len(QUESTIONS)])

    found = interleaved({"ours": timed(answer)}, RUNS, seconds=10)["ours"]
    return Sample(tuple(value / ANSWERS for value in found.values))
