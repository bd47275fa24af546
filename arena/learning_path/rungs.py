"""The rungs of each game: first a bot that passes its check, then the house bots that the game names as bosses."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.sites import SITES
from arena.submissions.house import drafts

# The code of the first rung; the others have that of their boss, the name of its file.
PASSED_CHECK: Final = "passed-check"


def codes(game: str) -> tuple[str, ...]:
    """The rungs of a game, the easiest first; () where it has no path."""
    bosses = SITES[game].bosses if game in SITES else ()  # a game may be gone
    return (PASSED_CHECK, *bosses) if bosses else ()


@cache
def boss_names(game: str) -> dict[str, str]:
    """By the names under which they are stored: the code of each boss."""
    return {drafts(game)[code].name: code for code in SITES[game].bosses}
