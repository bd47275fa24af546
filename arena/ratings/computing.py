"""The ratings of a game from its match log, all at once or from the first day that changed.

Invariant: both ways give the same, because the ratings of a day are a function of the results up to its end, whenever
they arrived.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from arena.core.ranking.authors import Authors
from arena.core.ranking.plackett_luce import rate
from arena.core.ranking.rating import Rating
from arena.ratings.match_log import Log, Results
from arena.submissions.models import Submission


@dataclass(frozen=True, slots=True)
class Tally:
    """Matches of a submission, by how they ended.

    ``losses`` are all without a first rank: lost ones of two seats, and of larger tables those that ``ranks`` tells of.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    tables: int = 0  # of more than two seats
    ranks: int = 0  # the sum of its ranks at them
    seats: int = 0  # and of how many sat there

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def mean_rank(self) -> float | None:
        return self.ranks / self.tables if self.tables else None

    @property
    def mean_seats(self) -> float | None:
        return self.seats / self.tables if self.tables else None


@dataclass(frozen=True, slots=True)
class Computed:
    """By submission: the ratings now; by day and submission: those after each day on which it played."""

    ratings: Mapping[int, Rating]
    tallies: Mapping[int, Tally]
    points: Mapping[tuple[date, int], tuple[Rating, int]]


@dataclass(frozen=True, slots=True)
class Versions:
    """The submissions of a game: of which bots they are, their numbers, and their authors."""

    of: Mapping[int, tuple[int, int]]
    authors: Authors

    @classmethod
    def read(cls, game: str) -> Versions:
        """House bots have no author: they may be compared with one another."""
        rows = Submission.objects.filter(bot__game=game).order_by("pk")
        lines = list(rows.values_list("pk", "bot_id", "number", "bot__owner_id", "bot__is_house"))
        authors = Authors({pk: owner for pk, _, _, owner, is_house in lines if not is_house})
        return cls({pk: (bot, number) for pk, bot, number, _, _ in lines}, authors)

    def predecessors(self, played: Iterable[int]) -> dict[int, int]:
        """Of each of these that is not its bot's first among them, the one before."""
        by_bot: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for submission in played:
            bot, number = self.of[submission]
            by_bot[bot].append((number, submission))
        found = {}
        for versions in by_bot.values():
            versions.sort()
            found.update({later: earlier for (_, earlier), (_, later) in pairwise(versions)})
        return found


def compute(log: Log, versions: Versions) -> Computed:
    """Matches among the bots of one author count for nothing, see arena.core.ranking.authors."""
    authors = versions.authors
    results: Results = Counter(authors.contests(log.before))
    played = {entry for result in results for entry in result.entries}
    points: dict[tuple[date, int], tuple[Rating, int]] = {}
    ratings = {} if log.by_day else rate(authors.comparisons(results), versions.predecessors(played))
    for day in sorted(log.by_day):
        new = authors.contests(log.by_day[day])
        today = {entry for result in new for entry in result.entries}
        results.update(new)
        played |= today
        ratings = rate(authors.comparisons(results), versions.predecessors(played))
        tallies = tallies_of(results)
        points.update({(day, entry): (ratings[entry], tallies[entry].matches) for entry in today if entry in ratings})
    return Computed(ratings, tallies_of(results), points)


def tallies_of(results: Results) -> dict[int, Tally]:
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for result, often in results.items():
        shared = result.ranks.count(1) > 1
        for entry, rank in zip(result.entries, result.ranks, strict=True):
            counts[entry]["losses" if rank > 1 else "draws" if shared else "wins"] += often
            if len(result.entries) > 2:
                counts[entry].update(tables=often, ranks=often * rank, seats=often * len(result.entries))
    return {entry: Tally(**count) for entry, count in counts.items()}
