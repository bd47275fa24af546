"""Choose the matches in the dataset: finished matches that the site lists for anonymous visitors.

Invariant: the pages' queries decide what is private; this module only restricts them to past days.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Max, Min, QuerySet

from arena.games.registry import GAMES
from arena.matches.listing import MatchFilter, filtered_matches
from arena.matches.models import Match, MatchStatus

ANYBODY: Final = AnonymousUser()
# Games with more matches than this have one file per month.
MAX_MATCHES_PER_FILE: Final = 100_000
PORTION: Final = 500  # matches read from the database at a time


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


@dataclass(frozen=True, slots=True)
class Partition:
    """The matches of one game that are exported to the same files.

    These are all matches before ``until``, or those of the month that ends at ``until``.
    """

    game: str
    until: datetime
    since: datetime | None = None

    @property
    def label(self) -> str:
        """Return the label for the partition's file names: the game and, for a month, a suffix such as "-2026-11"."""
        return self.game if self.since is None else f"{self.game}-{self.since:%Y-%m}"

    def matches(self) -> QuerySet[Match]:
        """Return the partition's current public matches, ordered by id."""
        rows = public_matches(self.game, self.until)
        return rows if self.since is None else rows.filter(finished_at__gte=self.since)

    def select(self) -> Selection:
        """Select the partition's current matches; each takes eight bytes of memory."""
        return Selection(self, array("q", self.matches().values_list("pk", flat=True).iterator(chunk_size=5000)))


@dataclass(frozen=True, slots=True)
class Selection:
    """The matches that were in a partition when its files were written."""

    partition: Partition
    ids: Sequence[int] = field(repr=False)

    def portions(self) -> Iterator[list[int]]:
        for first in range(0, len(self.ids), PORTION):
            yield list(self.ids[first : first + PORTION])

    @property
    def is_current(self) -> bool:
        """Return whether the selection is up to date: no match has been hidden, replaced or added since it was made."""
        return self.partition.select().ids == self.ids


def public_matches(game: str, until: datetime) -> QuerySet[Match]:
    listed = filtered_matches(MatchFilter(game=game, status=MatchStatus.FINISHED), ANYBODY)
    return listed.filter(finished_at__lt=until).order_by("pk")


def partitions(until: datetime, most: int = MAX_MATCHES_PER_FILE) -> list[Partition]:
    """Return all partitions, with games in the order of the registry and months in chronological order.

    A game with at most ``most`` matches has a single partition; other games have one for each month.
    """
    return [partition for game in GAMES for partition in _game_partitions(game, until, most)]


def _game_partitions(game: str, until: datetime, most: int) -> list[Partition]:
    rows = public_matches(game, until)
    if rows.count() <= most:
        return [Partition(game, until)]
    span = rows.aggregate(first=Min("finished_at"), last=Max("finished_at"))
    found, since = [], midnight(span["first"].astimezone(UTC).date().replace(day=1))
    while since <= span["last"]:
        following = since.replace(year=since.year + since.month // 12, month=since.month % 12 + 1)
        found.append(Partition(game, min(following, until), since))
        since = following
    return found
