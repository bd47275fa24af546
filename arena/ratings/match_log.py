"""The match log for ratings: the matches that count, grouped by day, with their results.

Invariant: the result depends only on the stored matches. Matches that are not public do not count
(``Match.is_counted``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import CharField, Count, Func, QuerySet, Sum
from django.db.models.sql.compiler import SQLCompiler

from arena.games.registry import GAMES
from arena.matches.models import RATED, Match, Seat

if TYPE_CHECKING:
    from arena.core.ranking.choices import CountedResults

__all__ = ["FIRST_DAY", "RATED", "DayLog", "counted_matches", "daily_logs", "results_of_day", "total_before"]

FIRST_DAY: Final = date(1970, 1, 1)  # earlier than any match


@dataclass(frozen=True, slots=True)
class DayLog:
    """The number of a day's matches that count for ratings, and the sum of these matches' ids."""

    matches: int
    checksum: int


class UtcDay(Func):
    """The UTC day of a time as ``YYYY-MM-DD``, computed by the database."""

    output_field = CharField()

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="substr(%(expressions)s, 1, 10)", **context)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
        return self.as_sql(compiler, connection, template=template, **context)


def counted_matches(game: str) -> QuerySet[Match]:
    """Select the finished matches of a game that are rated, public and not replaced.

    A bot that plays alone, as in a score attack, has no opponent to be compared with.
    """
    played = Match.objects.filter(is_counted=True, game=game)
    return played.filter(seats__index=1) if GAMES[game].min_seats == 1 else played


def daily_logs(game: str, first: date = FIRST_DAY) -> dict[date, DayLog]:
    """Return the log of each day from ``first`` on, using an index-only scan."""
    rows = counted_matches(game).filter(finished_at__gte=_midnight(first)).order_by()
    found = rows.annotate(day=UtcDay("finished_at")).values_list("day")
    return {
        date.fromisoformat(day): DayLog(matches, checksum)
        for day, matches, checksum in found.annotate(matches=Count("pk"), checksum=Sum("pk"))
    }


def total_before(game: str, before: date = date.max) -> DayLog:
    """Return the number of counted matches before a day and the sum of their ids, using an index-only scan."""
    rows = (
        counted_matches(game) if before == date.max else counted_matches(game).filter(finished_at__lt=_midnight(before))
    )
    found = rows.aggregate(matches=Count("pk"), checksum=Sum("pk"))
    return DayLog(found["matches"], found["checksum"] or 0)


def results_of_day(game: str, day: date) -> CountedResults:
    """Return the results of a day, ordered by match id."""
    import numpy as np  # imported only where ratings are computed

    from arena.core.ranking.choices import CountedResults

    of_day = counted_matches(game).filter(
        finished_at__gte=_midnight(day), finished_at__lt=_midnight(day + timedelta(days=1))
    )
    seats = Seat.objects.filter(match__in=of_day.order_by().values("pk"), rank__isnull=False)
    rows = seats.order_by("match_id", "index").values("match_id", "submission_id", "rank")
    with connection.cursor() as cursor:  # no model objects, because a year has millions of rows
        cursor.execute(*rows.query.sql_with_params())
        columns = np.fromiter(chain.from_iterable(cursor.fetchall()), dtype=np.int64).reshape(-1, 3)
    _, sizes = np.unique(columns[:, 0], return_counts=True)
    once = np.ones(len(sizes))
    return CountedResults(sizes.astype(np.int64), once, columns[:, 1].copy(), columns[:, 2].copy()).drop_incomparable()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
