"""Template tags that translate messages from the referee and the upload check."""

from __future__ import annotations

from django import template

from arena.games.localized_messages import FAULT_LABELS, translate_message, translate_stored_message

register = template.Library()

register.filter("translated", translate_stored_message)
register.filter("sentence", translate_message)  # for a Message


@register.simple_tag
def fault_label(kind: str) -> str:
    """Return the name of a fault."""
    return str(FAULT_LABELS.get(kind, kind))
