"""Read-only queries for recurring tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _

from arena.accounts.permissions import Person
from arena.tournaments import models as tournaments
from arena.tournaments.formats.availability import UnsuitableReason, reason_text
from arena.tournaments.models import Series, Tournament
from arena.tournaments.visibility import visible


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in the organizer's list.

    ``problem``: the code of the reason why the series stopped, or ""; ``problem_text``: this reason in the reader's
    language; ``last``: the newest tournament of the series.
    """

    id: int
    name: str
    game: str
    weekday: str
    at: time
    time_zone: str
    next_at: datetime
    is_active: bool
    problem: str
    problem_text: str
    last: int | None


def series_of(organizer_id: int | None) -> list[SeriesRow]:
    """Return an organizer's series, or all series if ``organizer_id`` is None, newest first."""
    rows = Series.objects.all() if organizer_id is None else Series.objects.filter(organizer_id=organizer_id)
    return [
        SeriesRow(
            id=row.pk,
            name=row.name,
            game=row.plan["game"],
            weekday=str(WEEKDAYS[row.weekday]),
            at=row.at,
            time_zone=row.time_zone,
            next_at=row.next_at,
            is_active=row.is_active,
            problem=row.problem,
            problem_text=problem_text(row.plan["game"], row.problem) if row.problem else "",
            last=max((tournament.pk for tournament in row.tournaments.all()), default=None),
        )
        for row in rows.prefetch_related("tournaments").order_by("-pk")
    ]


def problem_text(game: str, code: str) -> str:
    """Explain in the reader's language why a series stopped."""
    match code:
        case tournaments.NO_ORGANIZER:
            return _("The organizer can no longer run tournaments.")
        case "course_missing":
            return _("Choose the class that this tournament is for.")
        case "not_a_teacher":
            return _("The organizer no longer teaches the class that this tournament is for.")
        case code if code in set(UnsuitableReason):
            return reason_text(game, UnsuitableReason(code))
        case _other:
            return _("The next tournament could not be created. To try again, resume the recurring tournament.")


def series_to_continue(tournament_id: int) -> int | None:
    """Return the id of the active series whose newest tournament is this one; None if there is no such series."""
    row = Series.objects.filter(is_active=True, tournaments=tournament_id).first()
    newest = row.tournaments.order_by("-pk").values_list("pk", flat=True).first() if row else None
    return row.pk if row and newest == tournament_id else None


@dataclass(frozen=True, slots=True)
class Editions:
    """The previous and the next tournament of a series, if the reader may see them.

    ``is_active``: whether the series will create further tournaments.
    """

    is_active: bool
    previous: int | None
    next: int | None


def editions_of(tournament: Tournament, reader: Person) -> Editions | None:
    """Return the previous and next tournament of the series; None if the tournament is not part of a series."""
    if tournament.series is None:
        return None
    seen = Tournament.objects.filter(visible(reader), series=tournament.series)
    before, after = seen.filter(pk__lt=tournament.pk).order_by("-pk"), seen.filter(pk__gt=tournament.pk).order_by("pk")
    return Editions(
        is_active=tournament.series.is_active,
        previous=before.values_list("pk", flat=True).first(),
        next=after.values_list("pk", flat=True).first(),
    )


def organizer_of(series_id: int) -> int | None:
    return Series.objects.filter(pk=series_id).values_list("organizer_id", flat=True).first()
