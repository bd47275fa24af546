"""Date-time fields in a time zone that the form selects."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

# Zones named after places; the rest are obsolete names and offsets.
_REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zone_names() -> tuple[str, ...]:
    """Return the geographic zones of the tz database, and UTC."""
    places = [name for name in available_timezones() if name.partition("/")[0] in _REGIONS]
    return ("UTC", *sorted(places))


def zone_choices() -> list[tuple[str, str]]:
    """Return all zones as form choices, the site's zone first."""
    own = timezone.get_default_timezone_name()
    names = dict.fromkeys((own, *zone_names()))
    return [(name, name.replace("_", " ")) for name in names]


def zone_of(name: Any) -> tzinfo:
    """Return the zone with this name, or the site's zone if the name is unknown."""
    known = name == timezone.get_default_timezone_name() or name in zone_names()
    return ZoneInfo(name) if known else timezone.get_default_timezone()


class LocalDateTimeInput(forms.DateTimeInput):
    """The browser's native date-time control.

    Only the server checks that a required time is present, because other fields decide whether it is required.
    """

    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class HiddenDateTimeInput(forms.DateTimeInput):
    """A hidden input that carries a time through a page, in the format of ``LocalDateTimeInput``."""

    input_type = "hidden"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class LocalDateTimeField(forms.DateTimeField):
    """A time in ``zone``; None means the site's zone.

    ``is_conditional``: whether another field can make this one required; pages then do not label it optional.
    """

    widget = LocalDateTimeInput
    hidden_widget = HiddenDateTimeInput
    zone: tzinfo | None = None

    def __init__(self, *, is_conditional: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.is_conditional = is_conditional

    def to_python(self, value: Any) -> Any:
        with timezone.override(self.zone):
            return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        with timezone.override(self.zone):
            return super().prepare_value(value)
