"""What the site knows of a game besides its rules; each game says it once, as ``SITE`` in its ``site.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise

from arena.games.base import Json

Text = str | Promise


@dataclass(frozen=True, slots=True)
class SettingText:
    """How a form words one setting of the game's schema; ``choices``: labels by value."""

    label: Text
    help: Text = ""
    choices: Mapping[Json, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameSite:
    """``seats``: what readers call the seats, where they have names; ``settings``: by name, in the schema's order."""

    name: Text
    seats: tuple[Text, ...] = ()
    settings: Mapping[str, SettingText] = field(default_factory=dict)
