"""What the referee and the check say, in the reader's language."""

from __future__ import annotations

from django import template

from arena.games.sentences import translated
from arena.games.wording import FAULT_LABELS

register = template.Library()

register.filter("in_words", translated)


@register.simple_tag
def fault_label(kind: str) -> str:
    """What a bot did wrong."""
    return str(FAULT_LABELS.get(kind, kind))
