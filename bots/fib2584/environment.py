"""2584 as an environment: the reward is the sum of the merged tiles, so the total is the score.

One seat plays by default because seats are independent.
"""

from __future__ import annotations

from typing import Final

from arena.games.fib2584.board import DIRECTIONS
from arena.games.fib2584.rules import State
from bots.env.description import DiscreteActions, EnvironmentSpec
from bots.fib2584 import encoding


def total_scores(state: State) -> tuple[float, ...]:
    """Return each seat's total score over all games."""
    return tuple(float(board.total) for board in state.boards)


ENVIRONMENT: Final = EnvironmentSpec(
    encoding=encoding,
    actions=lambda settings: DiscreteActions(len(DIRECTIONS)),
    seats=1,
    short={"games": 1},
    simultaneous=True,
    score=total_scores,
)
