"""Random games of Reversi to their end, which Monte Carlo tree search plays by the thousand."""

from __future__ import annotations

import random

from bots.house.reversi.engine.bitboard import after, each, moves
from bots.house.reversi.engine.playout import playout
from bots.sdk.board import Board
from tests.bench.measure import interleaved, timed
from tests.bench.stage import scaled
from tests.bench.table import Beside, Row, Section
from tests.bots.reversi.positions import START

GAMES = 100
BOARD_GAMES = 5  # of the board that bots are handed, which is far slower
TURNS = 15


def run() -> Section:
    """Seconds a game."""
    chance = random.Random(1)
    samples = interleaved(
        {
            "ours": timed(lambda: [playout(*START, chance) for _ in range(GAMES)]),
            "drawn": timed(lambda: [_draw_from_all(chance) for _ in range(GAMES)]),
            "board": timed(lambda: [_on_the_board(chance) for _ in range(BOARD_GAMES)]),
        },
        TURNS,
        seconds=20,
    )
    ours = scaled(samples["ours"], 1 / GAMES)
    beside = (
        Beside("rival: drawn from all legal moves, on the same numbers", scaled(samples["drawn"], 1 / GAMES)),
        Beside("rival: on the board that bots are handed", scaled(samples["board"], 1 / BOARD_GAMES)),
    )
    row = Row("a random game, empty squares tried by chance", ours, beside)
    return Section("playouts of Reversi", (row,), (f"{1 / ours.median:,.0f} playouts a second",))


def _draw_from_all(chance: random.Random) -> None:
    own, other = START
    passed = False
    while True:
        legal = list(each(moves(own, other)))
        if legal:
            own, other = after(own, other, chance.choice(legal))
        elif passed:
            return
        else:
            own, other = other, own
        passed = not legal


def _on_the_board(chance: random.Random) -> None:
    board = Board()
    color, passed = "X", False
    while True:
        legal = list(board.get_legal_actions(color))
        if legal:
            board._move(chance.choice(legal), color)
        elif passed:
            return
        passed = not legal
        color = "O" if color == "X" else "X"
