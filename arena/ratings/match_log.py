"""The match log as ratings read it: which matches count, on which day, and their results.

Invariant: the answer depends on the stored matches alone. Matches that not everybody may see do not count
(``Match.is_counted``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import CharField, Count, Func, QuerySet, Sum
from django.db.models.sql.compiler import SQLCompiler

from arena.games.registry import GAMES
from arena.matches.models import RATED, Match, Seat

if TYPE_CHECKING:
    from arena.core.ranking.choices import Results

__all__ = ["FIRST_DAY", "RATED", "DayLog", "counted", "days", "results", "total"]

FIRST_DAY: Final = date(1970, 1, 1)  # before any match


@dataclass(frozen=True, slots=True)
class DayLog:
    """How many matches count of a day, and the sum of their ids."""

    matches: int
    checksum: int


class UtcDay(Func):
    """The day of a moment as ``YYYY-MM-DD``, found by the database."""

    output_field = CharField()

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="substr(%(expressions)s, 1, 10)", **context)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
        return self.as_sql(compiler, connection, template=template, **context)


def counted(game: str) -> QuerySet[Match]:
    """The finished matches of a game that are rated, that everybody may see and that no other one replaced.

    A bot that plays alone, as in a score attack, is compared with nobody.
    """
    played = Match.objects.filter(is_counted=True, game=game)
    return played.filter(seats__index=1) if GAMES[game].min_seats == 1 else played


def days(game: str, first: date = FIRST_DAY) -> dict[date, DayLog]:
    """By day from the first on; answered by an index alone."""
    rows = counted(game).filter(finished_at__gte=_midnight(first)).order_by()
    found = rows.annotate(day=UtcDay("finished_at")).values_list("day")
    return {
        date.fromisoformat(day): DayLog(matches, checksum)
        for day, matches, checksum in found.annotate(matches=Count("pk"), checksum=Sum("pk"))
    }


def total(game: str, before: date = date.max) -> DayLog:
    """All days before one together; answered by an index alone."""
    rows = counted(game) if before == date.max else counted(game).filter(finished_at__lt=_midnight(before))
    found = rows.aggregate(matches=Count("pk"), checksum=Sum("pk"))
    return DayLog(found["matches"], found["checksum"] or 0)


def results(game: str, day: date) -> Results:
    """The results of a day, in the order of the matches' ids."""
    import numpy as np  # only whoever computes needs it

    from arena.core.ranking.choices import Results

    of_day = counted(game).filter(finished_at__gte=_midnight(day), finished_at__lt=_midnight(day + timedelta(days=1)))
    seats = Seat.objects.filter(match__in=of_day.order_by().values("pk"), rank__isnull=False)
    rows = list(seats.order_by("match_id", "index").values_list("match_id", "submission_id", "rank"))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    _, sizes = np.unique(columns[:, 0], return_counts=True)
    once = np.ones(len(sizes))
    return Results(sizes.astype(np.int64), once, columns[:, 1].copy(), columns[:, 2].copy()).comparing()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
