"""Texts about recordings in the language of the page: descriptions of examples, and names for unnamed players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.recordings.models import Example

_SOURCES: Final[Mapping[Example, Promise]] = {
    Example.COURSE: _("Microsoft ai-edu (MIT licence), github.com/microsoft/ai-edu"),
}


def example_texts(example: Example) -> tuple[str, str]:
    """Return the title of an example, and its source and licence."""
    return str(example.label), str(_SOURCES[example])


def examples_with(text: str) -> list[Example]:
    """Return the examples whose title or source contains ``text``; case is ignored."""
    wanted = text.casefold()
    return [example for example in Example if any(wanted in own.casefold() for own in example_texts(example))]


def player_name(name: str, seat: int) -> str:
    """Return the player's name; players without one are numbered from 1. ``seat``: the player's index."""
    return name or gettext("Player %(n)s") % {"n": seat + 1}
