"""Capped counts for pages: "10,000+"."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

MAX_COUNTED: Final = 10_000


def count_up_to_most(rows: QuerySet[Any, Any]) -> int:
    """Count rows up to ``MAX_COUNTED``; return ``MAX_COUNTED + 1`` for any larger number."""
    return rows.order_by()[: MAX_COUNTED + 1].count()


def format_count(count: int) -> str:
    return f"{MAX_COUNTED:,}+" if count > MAX_COUNTED else str(count)
