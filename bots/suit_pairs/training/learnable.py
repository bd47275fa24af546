"""Suit Pairs as the trainer sees it; the contract's network, reward and trajectories are the trainer's defaults."""

from __future__ import annotations

from typing import Final

from bots.training.selfplay.environment import Learnable

SUIT_PAIRS: Final = Learnable(
    game="suit_pairs",
    environment="bots.suit_pairs.training.deal:ENVIRONMENT",
    opponents="bots.suit_pairs.training.opponents:OPPONENTS",
)
