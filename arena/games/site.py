"""What the site knows of a game besides its rules; each game says it once, as ``SITE`` in its ``site.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.base import Json

Text = str | Promise

SCORE: Final = _("Score")


@dataclass(frozen=True, slots=True)
class SettingText:
    """How a form words one setting of the game's schema; ``choices``: labels by value."""

    label: Text
    help: Text = ""
    choices: Mapping[Json, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TournamentDefaults:
    """What the form of a new tournament proposes.

    ``format``: a code of ``arena.tournaments``; "" is the first that suits the game. ``settings``: values that differ
    from the defaults of the schema.
    """

    format: str = ""
    move_seconds: float = 60.0
    settings: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameSite:
    """``seats``: what readers call the seats, where they have names; ``settings``: by name, in the schema's order.

    ``score_name`` and ``score_decimals``: how standings show the score of a game that is scored rather than ranked.
    """

    name: Text
    seats: tuple[Text, ...] = ()
    settings: Mapping[str, SettingText] = field(default_factory=dict)
    tournament: TournamentDefaults = TournamentDefaults()
    score_name: Text = SCORE
    score_decimals: int = 0
