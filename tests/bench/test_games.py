"""Every game's part of the benchmark exists and works, and is found through the list of games."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.__main__ import all_benchmarks
from bench.benchmark import Benchmark
from bench.games import Workload, pair_workload, table_workload

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", all_benchmarks())
def test_every_part_exists(name: str) -> None:
    """Every benchmark's function exists. The modules are parsed, not imported, because some need optional libraries."""
    module, _, function = all_benchmarks()[name].where.partition(":")
    spec = find_spec(module)
    assert spec
    assert spec.origin
    tree = ast.parse(Path(spec.origin).read_text())
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_benchmarks_of_games_do_not_shadow_others() -> None:
    benchmarks = all_benchmarks()
    assert {"start", "answer", "match", "golden", "search", "fib2584_solving"} <= benchmarks.keys()
    assert benchmarks["start"] == Benchmark("bench.starting:run", 60)


@pytest.mark.parametrize("workload", [pair_workload(), table_workload()], ids=lambda one: one.game)
def test_declared_match_can_be_played(workload: Workload) -> None:
    assert len(workload.spec().seats) == workload.seats
    assert workload.first_request().body
    compile(workload.bot(), "main.py", "exec")


@pytest.mark.long
def test_external_game_adds_its_own_part() -> None:
    games = "tests.example_game.lanterns.arena=tests.example_game.lanterns.bots"
    found = subprocess.run(
        [sys.executable, "-m", "bench", "--only", "lanterns"],
        cwd=ROOT,
        env={**os.environ, "EXTRA_GAMES": games},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "a match lit" in found.stdout
