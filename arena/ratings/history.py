"""Rating history of a bot, by version."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from arena.core.ranking.rating import Rating as Estimate
from arena.ratings.models import RatingPoint


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The rating of one version after a day on which it played."""

    day: date
    version: int
    estimate: Estimate
    matches: int
    is_first: bool  # whether it is the first point of its version


def rating_history(bot_id: int) -> list[HistoryPoint]:
    """Return the rating history, ordered by day and, within a day, by version number. Runs one query."""
    rows = RatingPoint.objects.filter(submission__bot_id=bot_id).order_by("day", "submission__number")
    found: list[HistoryPoint] = []
    seen: set[int] = set()
    for day, number, value, deviation, matches in rows.values_list(
        "day", "submission__number", "value", "deviation", "matches"
    ):
        found.append(HistoryPoint(day, number, Estimate(value, deviation), matches, number not in seen))
        seen.add(number)
    return found


def ratings_before(bot_ids: Collection[int], day: date) -> dict[int, float]:
    """Return each bot's rating after the last day before ``day`` on which it played. Runs one query."""
    rows = RatingPoint.objects.filter(submission__bot__in=bot_ids, day__lt=day).order_by("day", "submission__number")
    return dict(rows.values_list("submission__bot_id", "value"))  # the newest point comes last


def history_json(points: list[HistoryPoint]) -> list[dict[str, Any]]:
    """Return the data of the rating chart; a day is given as its start in seconds since 1970 (UTC)."""
    return [
        {
            "time": int(datetime.combine(point.day, time(), UTC).timestamp()),
            "version": point.version,
            "value": round(point.estimate.value, 1),
            "low": round(point.estimate.lower_bound, 1),
            "high": round(point.estimate.upper_bound, 1),
            "matches": point.matches,
            "first": point.is_first,
        }
        for point in points
    ]
