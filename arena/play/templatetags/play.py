"""Template tags for matches played by people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.simple_tag
def opponent_names(seats: Iterable[Mapping[str, Any]], mine: int) -> str:
    """Return the names of the players in the other seats, joined into one string."""
    names = [seat["name"] or _("Guest") for seat in seats if seat["index"] != mine]
    return pgettext("between names", ", ").join(names)
