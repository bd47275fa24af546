"""The golden point as an environment: the reward is the gain in a round, so the rewards add up to the score."""

from __future__ import annotations

from typing import Final

from arena.games.golden_point.rules import GoldenPointState
from bots.env.description import ContinuousActions, EnvironmentSpec
from bots.golden_point import encoding

# The rules require numbers strictly between 0 and 100.
_MIN_NUMBER: Final = 1e-9
_MAX_NUMBER: Final = 100 - 1e-9


def seat_points(state: GoldenPointState) -> tuple[float, ...]:
    """Return each seat's points so far."""
    return tuple(map(float, state.scores))


ENVIRONMENT: Final = EnvironmentSpec(
    encoding=encoding,
    actions=lambda settings: ContinuousActions(settings.numbers, _MIN_NUMBER, _MAX_NUMBER),
    low=-1.0,
    seats=4,
    short={"rounds": 20},
    simultaneous=True,
    score=seat_points,
)
