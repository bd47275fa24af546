"""Template tags for statistics of rated bots."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.simple_tag
def mean_rank(line: Any) -> str:
    """Format a bot's mean rank at tables with many seats: "2.4 of 11"; a dash if it has none."""
    if line.mean_rank is None:
        return "–"
    values = {"rank": number_format(line.mean_rank, 1), "seats": _format_mean_table_size(line.mean_seats)}
    return _("%(rank)s of %(seats)s") % values


def _format_mean_table_size(mean: float | None) -> str:
    """Format the mean table size, as an integer if all tables have the same size."""
    value = mean or 0.0
    return number_format(value, 0 if value == round(value) else 1)


@register.simple_tag
def rating_change(change: float) -> SafeString:
    """Render a rating change as a badge: "+12", "−8"."""
    points = round(change)
    tone = "good" if points > 0 else "bad" if points < 0 else "neutral"
    shown = f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "±0"
    return format_html('<span class="badge number" data-tone="{}">{}</span>', tone, shown)
