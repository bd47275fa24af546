"""A player of adjustable strength: it searches to a limited depth, and sometimes plays a random move."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from .bitboard import iterate_squares, legal_moves, position_from_board, square_name
from .budget import MAX_SECONDS, TimeBudget
from .evaluation import Evaluation, Weights, create_evaluation
from .thinking import Thinker


class LevelPlayer:
    """A player at a given level.

    ``depth``: the maximum search depth; ``blunders``: the share of random moves; ``solves``: whether it solves the
    endgame exactly.
    """

    depth: ClassVar[int] = 60
    blunders: ClassVar[float] = 0.0
    solves: ClassVar[bool] = True
    uses_probcut: ClassVar[bool] = False
    seconds_per_move = MAX_SECONDS  # the arena sets this to the time limit per move of the match

    def __init__(self, color: str) -> None:
        self.color = color
        self.chance = random.Random()
        self.budget = TimeBudget()
        self.thinker = Thinker(
            self.judge(),
            max_depth=self.depth,
            solve=self.solves,
            uses_probcut=self.uses_probcut,
            clock=self.budget.clock,
        )

    def judge(self) -> Evaluation:
        """Return the player's evaluation function."""
        return create_evaluation(Weights())

    def get_move(self, board: Any) -> str:
        return square_name(self.choose(*position_from_board(board, self.color)))

    def choose(self, own: int, other: int) -> int:
        """Choose a move for the side to move. There must be a legal move."""
        if self.chance.random() < self.blunders:
            return self.chance.choice(list(iterate_squares(legal_moves(own, other))))
        return self.thinker.think(own, other, self.budget.begin(self.seconds_per_move)).move
