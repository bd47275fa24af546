"""Reversi's benchmarks for ``python -m bench``: a two-player match, and the strength and speed of the house bots."""

from __future__ import annotations

import random

from arena.games.base import Audience
from arena.games.reversi.rules import GAME
from bench.benchmark import Benchmark
from bench.games import GameBench, Workload


def instant_bot() -> str:
    """Return the source of a bot that plays both sides of one fixed match without knowing the rules.

    The bot looks up its move by the number of discs.
    """
    state = GAME.initial(GAME.settings({}), 2, random.Random(1))
    moves: dict[int, str] = {}
    while GAME.outcome(state) is None:
        view = GAME.view(state, Audience.EVERYBODY)
        (seat,) = GAME.to_move(state)
        discs = sum(cell != "." for cell in view["board"])
        moves[discs] = view["legal"][0]
        state = GAME.apply(state, {seat: GAME.parse(state, seat, moves[discs])})
    return (
        f"MOVES = {moves!r}\ndef get_move(board):\n    return MOVES[64 - sum(row.count('.') for row in board._board)]\n"
    )


BENCH = GameBench(
    benchmarks={
        "search": Benchmark("bots.reversi.bench.search_depth:run", 200),
        "playout": Benchmark("bots.reversi.bench.playouts:run", 90),
        "strength": Benchmark("bots.reversi.bench.strength:run", 400),
    },
    pair=Workload(
        game=GAME.name,
        match="Reversi, 60 moves of two instant bots",
        question="a Reversi board",
        seats=2,
        bot=instant_bot,
        answering="def get_move(board):\n    return 'D3'\n",
    ),
)
