"""Template tags that translate messages of the referee and the check."""

from __future__ import annotations

from django import template

from arena.games.wording import FAULT_LABELS, translated, translated_json

register = template.Library()

register.filter("translated", translated_json)
register.filter("sentence", translated)  # of a Message


@register.simple_tag
def fault_label(kind: str) -> str:
    """Return the name of a fault."""
    return str(FAULT_LABELS.get(kind, kind))
