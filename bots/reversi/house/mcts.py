"""Plays thousands of games to their end by chance and takes the move that won the most of them. The games share their
first moves in a tree: what won so far is tried more often, what was tried seldom gets its chance, and at first, with
a probability that decays, any move does (Monte Carlo tree search by UCT). It knows nothing of corners or mobility.

The parts, from the ground up: engine/bitboard.py, engine/playout.py, engine/tree.py.
"""

import gc
import random
from typing import Any

from .engine.bitboard import discs, name
from .engine.budget import MOST_SECONDS, Budget
from .engine.tree import TreeSearch

gc.disable()  # a tree without links to parents leaves no cycles behind


class AIPlayer:
    seconds_per_move = MOST_SECONDS  # the arena sets it to what a move may take in this match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = Budget()
        self.tree = TreeSearch(random.Random(), clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = discs(board, self.color)
        return name(self.tree.think(own, other, self.budget.begin(self.seconds_per_move)).move)
