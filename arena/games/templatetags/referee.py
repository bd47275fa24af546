"""Template tags that translate messages of the referee and the check."""

from __future__ import annotations

from django import template

from arena.games.wording import FAULT_LABELS, worded, worded_json

register = template.Library()

register.filter("worded", worded_json)
register.filter("sentence", worded)  # of a Message


@register.simple_tag
def fault_label(kind: str) -> str:
    """Return the name of a fault."""
    return str(FAULT_LABELS.get(kind, kind))
