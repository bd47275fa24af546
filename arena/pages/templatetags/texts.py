"""The domain's words: bots, offences, and sentences of the referee in the reader's language."""

from __future__ import annotations

from django import template

from arena.pages.labels import FAULT_LABELS
from arena.pages.sentences import translated
from arena.submissions.bot_texts import shown_description, shown_name

register = template.Library()

register.filter("in_words", translated)
register.filter("bot_name", shown_name)
register.filter("bot_description", shown_description)


@register.simple_tag
def fault_label(kind: str) -> str:
    """What a bot did wrong, in the reader's language."""
    return str(FAULT_LABELS.get(kind, kind))
