"""Searches a tree like MCTS, but with an evaluation learned from self-play in place of random playouts.

An estimate takes one fiftieth of the time of a random playout and reveals more: which side is better, and by how
much. It also orders the moves, so that good ones are tried a hundred times before a bad one is tried twice.

The parts, from the ground up: engine/bitboard.py, engine/patterns.py, engine/learned.py, engine/guided.py.
"""

import gc
from typing import Any

from .engine.bitboard import position_from_board, square_name
from .engine.budget import MAX_SECONDS, TimeBudget
from .engine.guided import GuidedSearch
from .engine.learned import learned_evaluation

gc.disable()  # a tree without links to parents has no reference cycles


class AIPlayer:
    seconds_per_move = MAX_SECONDS  # the arena sets this to the time limit per move of the match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = TimeBudget()
        self.tree = GuidedSearch(learned_evaluation(), clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = position_from_board(board, self.color)
        return square_name(self.tree.think(own, other, self.budget.begin(self.seconds_per_move)).move)
