"""The match log as ratings read it: which matches count, on which day, and how often each result occurred.

Invariant: the answer depends on the stored matches alone. Matches that not everybody may see do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import groupby
from typing import Any, Final, TypeAlias

from django.db.models import CharField, Count, FilteredRelation, Func, Q, QuerySet, Sum
from django.db.models.sql.compiler import SQLCompiler

from arena.core.ranking.rating import RatedResult
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.visibility import PUBLIC

FIRST_DAY: Final = date(1970, 1, 1)  # before any match
RATED: Final = (Purpose.TOURNAMENT, Purpose.LADDER)
Results: TypeAlias = Counter[RatedResult]


@dataclass(frozen=True, slots=True)
class DayLog:
    """How many matches count of a day, and the sum of their ids."""

    matches: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Log:
    """The results before a day, and of each day from then on."""

    before: Results
    by_day: Mapping[date, Results]


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
    played = Match.objects.filter(PUBLIC, game=game, status=MatchStatus.FINISHED, purpose__in=RATED)
    if GAMES[game].min_seats == 1:
        played = played.filter(seats__index=1)
    return played.filter(replaced_by=None)


def days(game: str) -> dict[date, DayLog]:
    rows = counted(game).order_by().annotate(day=UtcDay("finished_at")).values_list("day")
    return {
        date.fromisoformat(day): DayLog(matches, checksum)
        for day, matches, checksum in rows.annotate(matches=Count("pk"), checksum=Sum("pk"))
    }


def total(game: str) -> DayLog:
    """All days together."""
    found = counted(game).aggregate(matches=Count("pk"), checksum=Sum("pk"))
    return DayLog(found["matches"], found["checksum"] or 0)


def results(game: str, first: date) -> Log:
    """Every result that counts, aggregated by the database where matches have two seats."""
    read = _pairs if GAMES[game].max_seats == 2 else _tables
    midnight = datetime.combine(first, time(), UTC)
    before: Results = Counter()
    for _, result, count in read(counted(game).filter(finished_at__lt=midnight), by_day=False):
        before[result] += count
    by_day: dict[date, Results] = {}
    for day, result, count in read(counted(game).filter(finished_at__gte=midnight), by_day=True):
        by_day.setdefault(date.fromisoformat(day), Counter())[result] += count
    return Log(before, by_day)


_Row: TypeAlias = tuple[str, RatedResult, int]


def _pairs(matches: QuerySet[Match], *, by_day: bool) -> Iterable[_Row]:
    """Results between two seats with how often each occurred: one row a pair and outcome (and day)."""
    rows = matches.order_by().annotate(
        one=FilteredRelation("seats", condition=Q(seats__index=0)),
        other=FilteredRelation("seats", condition=Q(seats__index=1)),
    )
    rows = rows.filter(one__rank__isnull=False, other__rank__isnull=False)
    columns = ["one__submission_id", "other__submission_id", "one__rank", "other__rank"]
    if by_day:
        rows = rows.annotate(day=UtcDay("finished_at"))
        columns.append("day")
    for one, other, rank, other_rank, *rest in rows.values_list(*columns).annotate(n=Count("pk")):
        yield rest[0] if by_day else "", RatedResult((one, other), (rank, other_rank)), rest[-1]


def _tables(matches: QuerySet[Match], *, by_day: bool) -> Iterable[_Row]:
    """Results of matches with any number of seats, one by one."""
    seats = Seat.objects.filter(match__in=matches.order_by().values("pk"), rank__isnull=False)
    rows = seats.order_by("match_id", "index").annotate(day=UtcDay("match__finished_at"))
    columns = rows.values_list("match_id", "day", "submission_id", "rank")
    for (_, day), table in groupby(columns.iterator(chunk_size=5000), key=lambda row: row[:2]):
        _ids, _days, entries, ranks = zip(*table, strict=True)
        yield day if by_day else "", RatedResult(entries, ranks), 1
