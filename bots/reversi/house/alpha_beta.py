"""Searches as far ahead as its time permits and plays the last fourteen squares or so perfectly.

A position is two 64-bit integers; the search is negamax with alpha-beta pruning, iterative deepening, move ordering,
null-window searches and a transposition table. Positions before the end of the match are estimated by the sum of 38
pattern weights: edges, corners, lines, diagonals. The weights were learned from a hundred thousand self-play games of
the engine.

The parts, from the ground up: engine/bitboard.py, engine/patterns.py, engine/learned.py, engine/table.py,
engine/search.py, engine/probcut.py, engine/endgame.py, engine/thinking.py.
"""

import gc
from typing import Any

from .engine.bitboard import position_from_board, square_name
from .engine.budget import MAX_SECONDS, TimeBudget
from .engine.learned import learned_evaluation
from .engine.thinking import Thinker

gc.disable()  # a search creates no reference cycles, and scanning its large tables for them would cost it time


class AIPlayer:
    seconds_per_move = MAX_SECONDS  # the arena sets this to the time limit per move of the match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = TimeBudget()
        self.thinker = Thinker(learned_evaluation(), uses_probcut=True, clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = position_from_board(board, self.color)
        return square_name(self.thinker.think(own, other, self.budget.begin(self.seconds_per_move)).move)
