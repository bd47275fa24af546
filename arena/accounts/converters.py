"""URL path converters."""

from __future__ import annotations

from django.db.models import BigIntegerField
from django.urls.converters import IntConverter


class RowConverter(IntConverter):
    """``<row:bot_id>``: the id of a row. A number that no column holds is no page, not a failed query."""

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > BigIntegerField.MAX_BIGINT:
            raise ValueError(value)
        return number
