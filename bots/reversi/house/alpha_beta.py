"""Searches as far ahead as its time allows and plays the last fourteen squares or so without an error. A position is
two whole numbers of 64 bits; the search is a negamax with alpha-beta that deepens one move at a time, tries the moves
first that look best, asks of all others only whether they are better, and remembers every position it has seen in a
table. Where it cannot see the end it adds up what 38 patterns of discs are worth: edges, corners, lines, diagonals.
That was learned from a hundred thousand games of the engine with itself.

The parts, from the ground up: engine/bitboard.py, engine/patterns.py, engine/learned.py, engine/table.py,
engine/search.py, engine/probcut.py, engine/endgame.py, engine/thinking.py.
"""

import gc
from typing import Any

from .engine.bitboard import discs, name
from .engine.budget import MOST_SECONDS, Budget
from .engine.learned import learned
from .engine.thinking import Thinker

gc.disable()  # a search leaves no cycles behind, and looking for them in its large tables would cost it time


class AIPlayer:
    seconds_per_move = MOST_SECONDS  # the arena sets it to what a move may take in this match

    def __init__(self, color: str) -> None:
        self.color = color
        self.budget = Budget()
        self.thinker = Thinker(learned(), guesses=True, clock=self.budget.clock)

    def get_move(self, board: Any) -> str:
        own, other = discs(board, self.color)
        return name(self.thinker.think(own, other, self.budget.begin(self.seconds_per_move)).move)
