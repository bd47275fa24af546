"""The golden point's benchmarks for ``python -m bench``: a large match, the house bots and the rooms."""

from __future__ import annotations

import random

from arena.games.base import Json
from arena.games.golden_point.rules import GAME
from bench.benchmark import Benchmark
from bench.games import GameBench, TableWorkload

_BOT = "def get_move(state):\n    return 20.0, 12.0 + state.seat / 100\n"
# A bot that reads every number of the last round; a short match suffices.
_READER = """
def get_move(state):
    played = [x for own in state.history[-1] for x in own] if state.history else [20.0]
    return 0.618 * sum(played) / len(played), 12.0
"""


def _one_round(rng: random.Random, seats: int) -> list[list[Json]]:
    """Return the moves of one round, in which every seat plays two random numbers."""
    return [[[rng.uniform(1, 99), rng.uniform(1, 99)] for _ in range(seats)]]


BENCH = GameBench(
    benchmarks={
        "golden": Benchmark("bench.matches:run_table", 110),
        "strategies": Benchmark("bots.golden_point.bench.strategies:run", 240),
        "rooms": Benchmark("bots.golden_point.bench.rooms:run", 120),
        "spectators": Benchmark("bots.golden_point.bench.spectators:run", 150),
    },
    table=TableWorkload(
        game=GAME.name,
        match="golden point, 200 seats x 400 rounds",
        question="a golden-point round",
        seats=200,
        bot=lambda: _BOT,
        answering=_BOT,
        settings={"numbers": 2, "rounds": 400},
        turns=_one_round,
        brief={"numbers": 2, "rounds": 1},
        reader=_READER,
        reader_settings={"numbers": 2, "rounds": 60},
    ),
)
