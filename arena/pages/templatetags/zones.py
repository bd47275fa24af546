"""Moments by the clock of a time zone that is not the reader's."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format

register = template.Library()


@register.filter
def in_zone(moment: datetime, zone: str) -> str:
    """The date and time there, with the name of the zone."""
    return f"{date_format(moment.astimezone(ZoneInfo(zone)), 'DATETIME_FORMAT')} ({zone})"
