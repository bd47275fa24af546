"""Read the addresses of pages: ids of rows in their paths, and filters of lists in their queries.

Invariant: a value that does not exist is ignored, so that old links work.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from django import forms
from django.db.models import BigIntegerField
from django.urls.converters import IntConverter

Filter = TypeVar("Filter")


class FilterForm(forms.Form, Generic[Filter]):
    """``filter_type``: a value with a field for each of the form's, of which the empty ones do not narrow."""

    filter_type: type[Filter]

    def chosen(self) -> Filter:
        self.is_valid()
        data = getattr(self, "cleaned_data", {})
        return self.filter_type(**{name: value for name, value in data.items() if value})

    def narrows(self) -> bool:
        """Whether anything is left out."""
        return self.chosen() != self.filter_type()


class RowConverter(IntConverter):
    """``<row:bot_id>``: the id of a row. A number that no column holds is no page, not a failed query."""

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > BigIntegerField.MAX_BIGINT:
            raise ValueError(value)
        return number


def row_id(value: str) -> int | None:
    """The id of a row in a query string; None for anything else."""
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else 0
    return number if 0 < number <= BigIntegerField.MAX_BIGINT else None
