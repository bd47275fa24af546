"""Self-play of Suit Pairs: ``python -m bots train suit_pairs --minutes 10 --processes 2``; see docs/learning.md."""

from __future__ import annotations

from collections.abc import Sequence

from bots.suit_pairs.training.learnable import SUIT_PAIRS
from bots.training.selfplay import command


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with these options."""
    command.main(SUIT_PAIRS, arguments)
