"""What readers call the levels of the house; other bots are called what their authors called them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LEVEL_NAMES: Final[Mapping[str, Promise]] = {
    "Beginner": _("Beginner"),
    "Casual": _("Casual"),
    "Club": _("Club player"),
    "Strong": _("Strong"),
    "Master": _("Master"),
}


class NamedBot(Protocol):
    """A bot, or a line of a list about one."""

    @property
    def name(self) -> str: ...
    @property
    def is_house(self) -> bool: ...
    @property
    def level(self) -> int | None: ...


def shown_name(bot: NamedBot) -> str:
    """In the reader's language, where there is a reader."""
    return str(LEVEL_NAMES.get(bot.name, bot.name)) if bot.is_house and bot.level else bot.name
