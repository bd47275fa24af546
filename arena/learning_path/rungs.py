"""Each game's rungs: first, passing the upload check; then, beating each house bot listed as a boss of the game."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.sites import SITES
from arena.submissions.house import house_drafts

# The code of the first rung; each other rung's code is the file name of its boss.
PASSED_CHECK: Final = "passed-check"


def rung_codes(game: str) -> tuple[str, ...]:
    """Return the codes of a game's rungs, easiest first; () if the game has no learning path."""
    bosses = SITES[game].bosses if game in SITES else ()  # a game may have been removed
    return (PASSED_CHECK, *bosses) if bosses else ()


@cache
def boss_names(game: str) -> dict[str, str]:
    """Return a mapping from each boss's stored name to the boss's rung code."""
    return {house_drafts(game)[code].name: code for code in SITES[game].bosses}


@cache
def extra_opponent_names(game: str) -> tuple[str, ...]:
    """Return the stored names of the house bots that also play in a challenge."""
    return tuple(house_drafts(game)[code].name for code in SITES[game].extra_opponents)
