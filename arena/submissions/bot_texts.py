"""Descriptions of bots: those of house bots in the reader's language, all others as their authors wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.submissions.models import Bot
from arena.ui.localized import NamedRow, localized_text


class DescribedBot(NamedRow, Protocol):
    """A bot, or its row in a list; ``texts``: see ``Bot.texts``."""

    @property
    def description(self) -> str: ...


def shown_description(bot: DescribedBot) -> str:
    return str(localized_text(bot.texts, "description") or bot.description)


@dataclass(frozen=True, slots=True)
class Introduction:
    """The introduction to a house bot; ``submission``: its active submission, whose source is public."""

    submission: int
    paragraphs: tuple[str, ...]


def introduction(bot_id: int) -> Introduction | None:
    """Return the introduction to an active house bot; None for all other bots, because students' files are private."""
    row = Bot.objects.filter(pk=bot_id, is_house=True).values_list("active_id", "texts").first()
    if row is None or row[0] is None:
        return None
    submission, texts = row
    return Introduction(submission, tuple(localized_text(texts, "introduction") or ()))
