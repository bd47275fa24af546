"""Suit Pairs as an environment: the reward is a tenth of the change in the seat's total lead."""

from __future__ import annotations

from typing import Final

from arena.games.suit_pairs.match import State
from arena.games.suit_pairs.stages import ACTIONS
from bots.env.description import DiscreteActions, EnvironmentSpec
from bots.suit_pairs import encoding

_POINT: Final = 0.1
# A lead may reach 5 times 20 points.
_MAX_POINTS: Final = 10.0


def scaled_leads(state: State) -> tuple[float, float]:
    """Return a tenth of each seat's lead over the other, summed over all deals."""
    first, second = state.points
    return (first - second) * _POINT, (second - first) * _POINT


ENVIRONMENT: Final = EnvironmentSpec(
    encoding=encoding,
    actions=lambda settings: DiscreteActions(ACTIONS),
    low=-_MAX_POINTS,
    high=_MAX_POINTS,
    short={"deals": 1, "mirrored": 0},
    score=scaled_leads,
)
