"""Template tags for analysis pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.games.reversi.analysis.texts import SIDES

register = template.Library()


@register.simple_tag
def square_label(square: Any) -> str:
    """Describe a square for screen readers; ``square`` has a name and a side."""
    if not square.side:
        return _("%(square)s, empty") % {"square": square.name}
    return pgettext("between phrases", ", ").join((square.name, str(SIDES[square.side])))
