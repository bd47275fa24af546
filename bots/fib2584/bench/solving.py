"""Benchmark the 2584 solver: the time and memory to compute all values, and the time per protocol answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from bench.fixtures import scale_sample
from bench.measure import Sample, measure_interleaved, timed_subject
from bench.table import Comparison, Goal, GoalQuantity, Row, Section, Unit
from bots.fib2584.house.engine.solver import solve
from bots.fib2584.solve import Solver

RUNS = 5
VALUES_GOAL = Goal(0.25, GoalQuantity.RATIO)  # about 1 s
MEMORY_GOAL = Goal(5.8, GoalQuantity.RATIO)  # about 150 MB
ANSWER_GOAL = Goal(16, GoalQuantity.RATIO)  # about 10 µs
ANSWERS = 20_000
QUESTIONS = ("b 2 2 0 0 0 0", "a 0 0 0 0 1 2", "b 1 1 0 0 0 1", "a 2 2 2 2 2 2")

# The peak memory of this program alone: getrusage() starts with the parent process's peak.
_MEMORY = """
import re
import numpy
{}
print(int(re.search(r"VmHWM:\\s*([0-9]+) kB", open("/proc/self/status").read())[1]) * 1024)
"""
_SOLVED = "from bots.fib2584.house.engine.solver import solve; solve()"
_RECURSION = """
import sys, time
from functools import cache
from bots.fib2584.house.engine.board import boards_after_drop, canonical_board, legal_slides
sys.setrecursionlimit(20_000)
@cache
def before(board):
    return max((reward + after(canonical_board(slid)) for _, slid, reward in legal_slides(board)), default=0.0)
@cache
def after(board):
    return sum(chance * before(canonical_board(found)) for found, chance in boards_after_drop(board))
began = time.perf_counter()
empty = (0,) * 6
for first, one in boards_after_drop(empty):
    sum(one * other * before(canonical_board(second)) for second, other in boards_after_drop(first))
print(time.perf_counter() - began)
"""


def run() -> Section:
    values = measure_interleaved(
        {"ours": timed_subject(solve), "floor": _solve_by_recursion}, RUNS, seconds=10, warm_up=0
    )
    recursion = Comparison("floor: plain recursion in Python", values["floor"])
    memory, bare = (Sample((float(_run_program(_MEMORY.format(work))) / 1e6,)) for work in (_SOLVED, ""))
    answer, splitting = _measure_answers()
    rows = (
        Row("all values", values["ours"], (recursion,), VALUES_GOAL),
        Row(
            "memory of a process that has them",
            memory,
            (Comparison("floor: a process that has imported NumPy", bare),),
            MEMORY_GOAL,
            Unit.MEGABYTES,
        ),
        Row("one answer", answer, (Comparison("floor: parsing its numbers", splitting),), ANSWER_GOAL),
    )
    return Section("2584 on 2x3 solved", rows)


def _solve_by_recursion() -> Sequence[float]:
    return (float(_run_program(_RECURSION)),)


def _run_program(program: str) -> str:
    """Run a program in a new process, and return its output."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def _measure_answers() -> tuple[Sample, Sample]:
    """Return the seconds per answer, and a lower bound for them: the seconds needed to parse a query's numbers."""
    solver = Solver(solve())

    def answer() -> None:
        for number in range(ANSWERS):
            solver.answer(QUESTIONS[number % len(QUESTIONS)])

    def split() -> None:
        for number in range(ANSWERS):
            _, *words = QUESTIONS[number % len(QUESTIONS)].split()
            tuple(map(int, words))

    found = measure_interleaved({"ours": timed_subject(answer), "floor": timed_subject(split)}, RUNS, seconds=10)
    return scale_sample(found["ours"], 1 / ANSWERS), scale_sample(found["floor"], 1 / ANSWERS)
