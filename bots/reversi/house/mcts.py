"""Plays thousands of random continuations to the end and takes the move that won most often.

The continuations share their first moves in a tree. Successful moves are tried more often, rarely tried ones get a
bonus, and with a probability that decays during the search, a random move is tried (Monte Carlo tree search by UCT).
The bot knows nothing about corners or mobility.

The parts, from the ground up: engine/bitboard.py, engine/playout.py, engine/tree.py.
"""

import gc
import random
from typing import Any

from .engine.bitboard import position_from_board, square_name
from .engine.budget import MAX_SECONDS, TimeBudget
from .engine.tree import TreeSearch

gc.disable()  # a tree without links to parents has no reference cycles


class AIPlayer:
    seconds_per_move = MAX_SECONDS  # the arena sets this to the time limit per move of the match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = TimeBudget()
        self.tree = TreeSearch(random.Random(), clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = position_from_board(board, self.color)
        return square_name(self.tree.think(own, other, self.budget.begin(self.seconds_per_move)).move)
