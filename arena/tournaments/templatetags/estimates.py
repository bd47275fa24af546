"""Template tags for estimated durations, in steps of ``arena.core.duration_estimate``."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.core.duration_estimate import DAY, HOUR, MINUTE, DurationRange
from arena.core.number_format import format_shortest

register = template.Library()

_FIRST_IN_DAYS = 2 * DAY  # one day and a half is more familiar as 36 hours


@register.simple_tag
def rough_duration(seconds: float) -> str:
    """Format an approximate duration: 45 s, 1.5 min, 36 h, 2 days."""
    unit = _unit(seconds)
    n = format_shortest(seconds / unit, 1)
    if unit == DAY:
        return ngettext("%(n)s day", "%(n)s days", round(seconds / DAY)) % {"n": n}
    return {1: _("%(n)s s"), MINUTE: _("%(n)s min"), HOUR: _("%(n)s h")}[unit] % {"n": n}


@register.simple_tag
def duration_range(span: DurationRange) -> str:
    """Format a range of durations: 20–30 min, 45 min to 1.5 h."""
    unit = _unit(span.high)
    if _unit(span.low) != unit:
        ends = {"low": rough_duration(span.low), "high": rough_duration(span.high)}
        return pgettext("durations", "%(low)s to %(high)s") % ends
    ends = {"low": format_shortest(span.low / unit, 1), "high": format_shortest(span.high / unit, 1)}
    ranges = {
        1: _("%(low)s–%(high)s s"),
        MINUTE: _("%(low)s–%(high)s min"),
        HOUR: _("%(low)s–%(high)s h"),
        DAY: _("%(low)s–%(high)s days"),
    }
    return ranges[unit] % ends


def _unit(seconds: float) -> int:
    """Return the unit for a duration, in seconds."""
    if seconds < MINUTE:
        return 1
    if seconds < HOUR:
        return MINUTE
    return HOUR if seconds < _FIRST_IN_DAYS else DAY
