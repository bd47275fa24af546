"""Lanterns as an environment: the reward is the light that a seat takes."""

from __future__ import annotations

from typing import Final

from bots.env.description import DiscreteActions, EnvironmentSpec
from tests.example_game.lanterns.arena.rules import CANDLES, LanternsState
from tests.example_game.lanterns.bots import encoding


def light(state: LanternsState) -> tuple[float, ...]:
    """Return the light that each seat has taken."""
    return tuple(float(state.score(seat)) for seat in range(len(state.laid)))


ENVIRONMENT: Final = EnvironmentSpec(
    encoding=encoding, actions=lambda settings: DiscreteActions(len(CANDLES)), short={"nights": 3}, score=light
)
