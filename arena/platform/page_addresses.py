"""Parse page URLs: row ids in paths, and list filters in query strings.

Invariant: unknown values are ignored, so that old links work.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from django import forms
from django.db.models import BigIntegerField
from django.urls.converters import IntConverter
from django.utils.translation import gettext_lazy as _

Filter = TypeVar("Filter")


class FilterForm(forms.Form, Generic[Filter]):
    """A form that filters a list. ``filter_type``: a class with the form's fields; empty values are ignored."""

    filter_type: type[Filter]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if "invalid_choice" in field.error_messages:
                field.error_messages["invalid_choice"] = _("This filter does not exist, so it is ignored.")

    def chosen_filter(self) -> Filter:
        self.is_valid()
        data = getattr(self, "cleaned_data", {})
        return self.filter_type(**{name: value for name, value in data.items() if value})

    def is_set(self) -> bool:
        """Return whether any filter is set."""
        return self.chosen_filter() != self.filter_type()


class RowConverter(IntConverter):
    """The path converter for row ids, as in ``<row:bot_id>``.

    A number that is too large for the column causes a 404 instead of a failed query.
    """

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > BigIntegerField.MAX_BIGINT:
            raise ValueError(value)
        return number


def row_id(value: str) -> int | None:
    """Parse a value from a query string as a row id; return None if it is invalid."""
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else 0
    return number if 0 < number <= BigIntegerField.MAX_BIGINT else None
