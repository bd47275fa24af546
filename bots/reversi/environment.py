"""Reversi as an environment: the final reward is 1 for a win, 0 for a draw, -1 for a loss."""

from __future__ import annotations

from typing import Final

from bots.env.description import DiscreteActions, EnvironmentSpec
from bots.reversi import encoding

ENVIRONMENT: Final = EnvironmentSpec(encoding=encoding, actions=lambda settings: DiscreteActions(len(encoding.SQUARES)))
