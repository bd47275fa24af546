"""Capped counts for pages: "10,000+"."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from arena.core.number_format import format_number

MAX_COUNTED: Final = 10_000


def count_up_to_most(rows: QuerySet[Any, Any]) -> int:
    """Count rows up to ``MAX_COUNTED``; return ``MAX_COUNTED + 1`` for any larger number."""
    return rows.order_by()[: MAX_COUNTED + 1].count()


def format_count(count: int) -> str:
    return f"{format_number(MAX_COUNTED)}+" if count > MAX_COUNTED else format_number(count)
