"""Self-play for Suit Pairs: ``python -m bots train suit_pairs --minutes 10 --processes 2``; see docs/learning.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bots.training.selfplay import command
from bots.training.selfplay.environment import Learnable

# Uses the trainer's default network, reward and trajectories.
SUIT_PAIRS: Final = Learnable(
    game="suit_pairs",
    environment="bots.suit_pairs.training.deal:ENVIRONMENT",
    opponents="bots.suit_pairs.training.opponents:OPPONENTS",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with these command-line options."""
    command.main(SUIT_PAIRS, arguments)
