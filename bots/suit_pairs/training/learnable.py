"""Suit Pairs for the trainer, with the trainer's default network, reward and trajectories."""

from __future__ import annotations

from typing import Final

from bots.training.selfplay.environment import Learnable

SUIT_PAIRS: Final = Learnable(
    game="suit_pairs",
    environment="bots.suit_pairs.training.deal:ENVIRONMENT",
    opponents="bots.suit_pairs.training.opponents:OPPONENTS",
)
