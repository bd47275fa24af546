"""What readers are told of a bot: of a house bot in their language, of all others in its author's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.submissions.models import Bot
from arena.ui.localized import Texts, in_language


class DescribedBot(Protocol):
    """A bot, or a line of a list about one; ``texts``: see ``Bot.texts``."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def texts(self) -> Texts: ...


def shown_name(bot: DescribedBot) -> str:
    return str(in_language(bot.texts, "name") or bot.name)


def shown_description(bot: DescribedBot) -> str:
    return str(in_language(bot.texts, "description") or bot.description)


@dataclass(frozen=True, slots=True)
class Introduction:
    """How a house bot plays; ``submission``: the one that plays, whose source everybody may read."""

    submission: int
    paragraphs: tuple[str, ...]


def introduction(bot_id: int) -> Introduction | None:
    """Of a house bot that plays; None for all others: what students write in their files is theirs."""
    row = Bot.objects.filter(pk=bot_id, is_house=True).values_list("active_id", "texts").first()
    if row is None or row[0] is None:
        return None
    submission, texts = row
    return Introduction(submission, tuple(in_language(texts, "introduction") or ()))
