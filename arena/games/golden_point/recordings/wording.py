"""Translate the arena's own texts in recordings: its example, and the names given to unnamed players."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext, gettext_noop

# The title and source of the example in the first migration, for the message catalogs.
_EXAMPLE: Final = (
    gettext_noop("23 players, 400 rounds"),
    gettext_noop("Microsoft ai-edu (MIT licence), github.com/microsoft/ai-edu"),
)
_UNNAMED: Final = re.compile(r"Player (\d+)")


def shown_text(text: str) -> str:
    """Return a text of the arena's example in the language of the page."""
    return gettext(text) if text in _EXAMPLE else text


def shown_player(name: str) -> str:
    """Return the player's name; in files without names, players are numbered in the language of the page."""
    found = _UNNAMED.fullmatch(name)
    return gettext("Player %(n)s") % {"n": found[1]} if found else name
