"""How much of the time for a move is spent on thinking."""

from __future__ import annotations

from typing import Final

MOST_SECONDS: Final = 1.0  # more would make a bot stronger, and matches long
# For the way to the referee and back on a machine that does other things as well.
_RESERVE_SECONDS: Final = 0.1


def seconds_to_think(seconds_per_move: float) -> float:
    """Out of what a move may take in this match."""
    return min(MOST_SECONDS, max(seconds_per_move / 2, seconds_per_move - _RESERVE_SECONDS))
