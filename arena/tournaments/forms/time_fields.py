"""Moments on a form: in a time zone that the form names."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

# Names of places; the others are old names and offsets without a place.
_REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zone_names() -> tuple[str, ...]:
    """The zones of the tz database that are places, and UTC."""
    places = [name for name in available_timezones() if name.partition("/")[0] in _REGIONS]
    return ("UTC", *sorted(places))


def zone_choices() -> list[tuple[str, str]]:
    """The site's own zone first."""
    own = timezone.get_default_timezone_name()
    names = dict.fromkeys((own, *zone_names()))
    return [(name, name.replace("_", " ")) for name in names]


def zone_of(name: Any) -> tzinfo:
    """The zone of this name, the site's own for one that is none."""
    known = name == timezone.get_default_timezone_name() or name in zone_names()
    return ZoneInfo(name) if known else timezone.get_default_timezone()


class LocalDateTimeInput(forms.DateTimeInput):
    """The browser's own control; whether it must be filled depends on other answers, so the server asks."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class HiddenDateTimeInput(forms.DateTimeInput):
    """Carries a moment through a page that does not ask for it, written as ``LocalDateTimeInput`` does."""

    input_type = "hidden"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class LocalDateTimeField(forms.DateTimeField):
    """A moment by the clock of ``zone``; None: of the site.

    ``is_conditional``: another answer decides whether it is needed, so the page does not call it optional.
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
