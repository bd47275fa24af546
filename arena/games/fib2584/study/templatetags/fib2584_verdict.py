"""The verdict on a finished match of 2584, for the reader's seat or the only seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from arena.games.fib2584.reports import SeatScoreReport, report_of_seat
from arena.matches.records import record_of

register = template.Library()


@register.simple_tag
def verdict(snapshot: Mapping[str, Any]) -> SeatScoreReport | None:
    """Return the verdict; None until the match is over, or if there are several seats and the reader has no seat.

    The page checks permissions.
    """
    match_id = snapshot["match"]["id"]
    if not snapshot["outcome"] or not match_id:
        return None
    reader = snapshot.get("reader")
    seat = reader["seat"] if reader else 0 if len(snapshot["seats"]) == 1 else None
    record = None if seat is None else record_of(match_id)
    return None if seat is None or record is None or not record.turns else report_of_seat(record, seat)
