"""Draw openings, for tournaments and the local runner.

Invariant: a drawn opening is a value of the ``opening`` setting of a game with ``openings``, and depends only on the
arguments.
"""

from __future__ import annotations

import random

from arena.games.registry import GAMES


def has_openings(game: str) -> bool:
    """Return whether matches of the game can start from positions other than the standard one."""
    return bool(GAMES[game].openings)


def draw_opening(game: str, drawn_for: object, moves: int | None = None) -> str:
    """Draw one of the game's balanced openings, or a random opening if ``moves`` differs from their length.

    ``drawn_for``: the seed; equal values give equal openings.
    """
    rng = random.Random(f"opening {drawn_for}")  # noqa: S311 - not a secret
    rules = GAMES[game]
    if moves is None or moves == rules.opening_moves:
        return rng.choice(rules.openings)
    return rules.random_opening(moves, rng)
