"""Read-only queries for recurring tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from django.utils.dates import WEEKDAYS

from arena.tournaments.models import Series


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A series in the organizer's list. ``last``: its newest tournament."""

    id: int
    name: str
    game: str
    weekday: str
    at: time
    time_zone: str
    next_at: datetime
    is_active: bool
    problem: str
    last: int | None


def series_of(organizer_id: int | None) -> list[SeriesLine]:
    """Return an organizer's series, or all series if ``organizer_id`` is None, newest first."""
    rows = Series.objects.all() if organizer_id is None else Series.objects.filter(organizer_id=organizer_id)
    return [
        SeriesLine(
            id=row.pk,
            name=row.name,
            game=row.plan["game"],
            weekday=str(WEEKDAYS[row.weekday]),
            at=row.at,
            time_zone=row.time_zone,
            next_at=row.next_at,
            is_active=row.is_active,
            problem=row.problem,
            last=max((tournament.pk for tournament in row.tournaments.all()), default=None),
        )
        for row in rows.prefetch_related("tournaments").order_by("-pk")
    ]


def series_to_continue(tournament_id: int) -> int | None:
    """Return the id of the active series whose newest tournament is this one, or None."""
    row = Series.objects.filter(is_active=True, tournaments=tournament_id).first()
    newest = row.tournaments.order_by("-pk").values_list("pk", flat=True).first() if row else None
    return row.pk if row and newest == tournament_id else None


def organizer_of(series_id: int) -> int | None:
    return Series.objects.filter(pk=series_id).values_list("organizer_id", flat=True).first()
