"""Compute a game's ratings, either from the results of all days or starting from the first day that changed.

Invariant: the two computations agree to within a millionth of a point. The ratings of a day are the unique optimum of a
function of all results up to the end of that day, so neither the order in which results arrived nor the optimizer's
starting point matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Self

import numpy as np

from arena.core.ranking.author_results import DatedResults, comparable_results, contested_results
from arena.core.ranking.authors import Authors
from arena.core.ranking.choices import CountedResults, Floats, Ints, choices, distinct_values
from arena.core.ranking.likelihood import Model, PairGraph, Prior
from arena.core.ranking.plackett_luce import deviations, fit_strengths
from arena.core.ranking.rating import CENTRE, PER_NEPER, Rating
from arena.submissions.models import Submission

_GROWTH_STEPS: Final = 16
_ROWS_AT_ONCE: Final = 50_000


@dataclass(frozen=True, slots=True)
class MatchTally:
    """A submission's match counts by result.

    ``losses``: matches of any size in which the submission did not finish first; ``ranks`` has the details for larger
    tables.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    tables: int = 0  # matches with more than two seats
    ranks: int = 0  # the sum of its ranks in these matches
    seats: int = 0  # the total number of seats in these matches

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
class DayPoints:
    """The ratings after a day for all submissions that played on that day, with their match counts so far."""

    day: date
    submissions: Ints
    values: Floats
    deviations: Floats
    matches: Ints


@dataclass(frozen=True, slots=True)
class ComputedRatings:
    """The ratings and tallies of a game as computed.

    Current ratings and tallies are keyed by submission; ``points``: ratings by day, starting with the first requested
    day.
    """

    ratings: Mapping[int, Rating]
    tallies: Mapping[int, MatchTally]
    points: Sequence[DayPoints]

    def point_rows(self) -> Iterator[tuple[int, str, float, float, int]]:
        """Yield (submission, date, rating, deviation, matches) in index order: by submission, then date (ISO 8601)."""
        if not self.points:
            return
        names = np.repeat([str(one.day) for one in self.points], [len(one.submissions) for one in self.points])
        submissions = np.concatenate([one.submissions for one in self.points])
        order = np.argsort(submissions, kind="stable")
        columns = (
            submissions,
            names,
            np.concatenate([one.values for one in self.points]),
            np.concatenate([one.deviations for one in self.points]),
            np.concatenate([one.matches for one in self.points]),
        )
        for first in range(0, len(order), _ROWS_AT_ONCE):
            chunk = order[first : first + _ROWS_AT_ONCE]
            yield from zip(*(column[chunk].tolist() for column in columns), strict=True)


@dataclass(frozen=True, slots=True)
class GameVersions:
    """The submissions of a game: their bots, numbers and authors."""

    of: Mapping[int, tuple[int, int]]
    authors: Authors

    @classmethod
    def read(cls, game: str) -> Self:
        """Read a game's submissions and their authors. House bots have no author, so matches between them count."""
        rows = Submission.objects.filter(bot__game=game).order_by("pk")
        lines = list(rows.values_list("pk", "bot_id", "number", "bot__owner_id", "bot__is_house"))
        authors = Authors({pk: owner for pk, _, _, owner, is_house in lines if not is_house})
        return cls({pk: (bot, number) for pk, bot, number, _, _ in lines}, authors)


def compute(
    results: Mapping[date, CountedResults],
    first: date,
    versions: GameVersions,
    start: Mapping[int, float] | None = None,
) -> ComputedRatings:
    """Rate all submissions from all results, day by day from ``first``.

    Matches between bots of the same author are ignored; see arena.core.ranking.authors. ``start``: initial ratings for
    the optimizer.
    """
    days = sorted(results)
    shown = [day for day in days if day >= first]
    joined = CountedResults.concatenate([results[day] for day in days])
    earlier = len(days) - len(shown)
    # All days before the first requested day are merged into one, number 0.
    numbers = np.maximum(np.arange(len(days)) - earlier + 1, 0)
    day_of_result = np.repeat(numbers, [len(results[day].sizes) for day in days]).astype(np.int64)
    counted = contested_results(DatedResults(joined, day_of_result), versions.authors)
    season = _DailyStrengths(counted, len(shown), versions, start or {})
    points = [season.points(number, day) for number, day in enumerate(shown, start=1)]
    return ComputedRatings(season.ratings(), tallies_of(counted.results), points)


class _DailyStrengths:
    """The strengths computed day by day; each call to ``points`` adds the results of the next day."""

    def __init__(
        self, counted: DatedResults, last_day: int, versions: GameVersions, start: Mapping[int, float]
    ) -> None:
        results = counted.results
        self.entries, places = distinct_values(results.entries)
        size = len(self.entries)
        compared = comparable_results(counted, versions.authors)
        numbered = (
            CountedResults(results.sizes, results.counts, places, results.ranks)
            if compared is counted
            else compared.results.renumber(self.entries)
        )
        self._choices = choices(numbered, compared.days, size, last_day)
        seat_days = np.repeat(counted.days, results.sizes)
        self._seats = (seat_days, places, np.repeat(results.counts, results.sizes).astype(np.int64))
        self._played_first = np.full(size, last_day + 1)
        np.minimum.at(self._played_first, places, seat_days)
        lineage = np.array([versions.of[entry] for entry in self.entries.tolist()], dtype=np.int64).reshape(-1, 2)
        self._bots = lineage[:, 0]
        self._by_bot = np.lexsort((lineage[:, 1], lineage[:, 0]))
        self._wins = np.zeros(size)
        self._graph = PairGraph.from_pairs(self._choices.pairs.members[:0], size)
        self._often = np.zeros(len(self._choices.pairs.members))
        self._often_of_tables = [np.zeros(len(sets.members)) for sets in self._choices.tables]
        self._matches = np.zeros(size, dtype=np.int64)
        self._strengths = np.array([(start.get(entry, CENTRE) - CENTRE) / PER_NEPER for entry in self.entries.tolist()])
        self._known = np.array([entry in start for entry in self.entries.tolist()], dtype=np.bool_)
        self._deviations = np.zeros(size)
        self._day = -1
        self._add(0)
        if size and not last_day:
            self._rate()

    def points(self, number: int, day: date) -> DayPoints:
        today = np.unique(self._add(number))
        self._rate()
        return DayPoints(
            day,
            self.entries[today],
            CENTRE + PER_NEPER * self._strengths[today],
            PER_NEPER * self._deviations[today],
            self._matches[today],
        )

    def ratings(self) -> dict[int, Rating]:
        values = (CENTRE + PER_NEPER * self._strengths).tolist()
        found = (PER_NEPER * self._deviations).tolist()
        return {entry: Rating(*row) for entry, *row in zip(self.entries.tolist(), values, found, strict=True)}

    def _add(self, number: int) -> Ints:
        """Add the results of a day; return the submissions that played."""
        self._day = number
        found = self._choices
        today = _slice_of_day(found.win_days, number)
        np.add.at(self._wins, found.win_entries[today], found.win_weights[today])
        each = zip((self._often, *self._often_of_tables), (found.pairs, *found.tables), strict=True)
        for often, sets in each:
            today = _slice_of_day(sets.days, number)
            np.add.at(often, sets.rows[today], sets.weights[today])
        days, places, counts = self._seats
        today = _slice_of_day(days, number)
        np.add.at(self._matches, places[today], counts[today])
        return places[today]

    def _rate(self) -> None:
        present = self._played_first <= self._day
        later, earlier = self._predecessors(present)
        new = ~self._known[later]
        for entry, before in zip(later[new].tolist(), earlier[new].tolist(), strict=True):
            self._strengths[entry] = self._strengths[before]  # in the order of version numbers
        self._known |= present
        graph = self._extended_graph()
        tables = zip(self._often_of_tables, self._choices.tables, strict=True)
        model = Model(
            self._wins,
            graph,
            graph.expand_pairs(self._often),
            [
                (one.members[: one.known_by_day[self._day]], often[: one.known_by_day[self._day]])
                for often, one in tables
            ],
            Prior(present, later, earlier),
        )
        self._strengths = fit_strengths(model, np.where(present, self._strengths, 0.0))
        self._deviations = deviations(model, self._strengths)

    def _extended_graph(self) -> PairGraph:
        """Return a graph that contains all pairs of submissions that have met so far.

        It also contains some pairs that meet later and do not count yet, so that it grows in a few large steps.
        """
        pairs = self._choices.pairs
        needed = int(pairs.known_by_day[self._day])
        if needed > self._graph.count:
            grown = min(len(pairs.members), needed + len(pairs.members) // _GROWTH_STEPS)
            self._graph = PairGraph.from_pairs(pairs.members[:grown], len(self.entries))
        return self._graph

    def _predecessors(self, present: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Ints, Ints]:
        """Return the ``present`` versions that have a predecessor, and their predecessors.

        A predecessor is the previous ``present`` version of the same bot.
        """
        ordered = self._by_bot[present[self._by_bot]]
        same = self._bots[ordered[1:]] == self._bots[ordered[:-1]]
        return ordered[1:][same], ordered[:-1][same]


def _slice_of_day(days: Ints, number: int) -> slice:
    """Return the slice of the sorted array ``days`` that contains the entries for the day with this number."""
    first, last = np.searchsorted(days, [number, number + 1])
    return slice(int(first), int(last))


def tallies_of(results: CountedResults) -> dict[int, MatchTally]:
    entries, places = distinct_values(results.entries)
    sizes = np.repeat(results.sizes, results.sizes)
    counts = np.repeat(results.counts, results.sizes).astype(np.float64)
    result = np.repeat(np.arange(len(results.sizes)), results.sizes)
    shared = np.bincount(result[results.ranks == 1], minlength=len(results.sizes))[result] > 1
    lost, table = results.ranks > 1, sizes > 2

    def sum_by_entry(weights: Floats) -> list[int]:
        found: list[int] = np.bincount(places, weights, minlength=len(entries)).astype(np.int64).tolist()
        return found

    columns = (
        sum_by_entry(counts * (~lost & ~shared)),
        sum_by_entry(counts * (~lost & shared)),
        sum_by_entry(counts * lost),
        sum_by_entry(counts * table),
        sum_by_entry(counts * table * results.ranks),
        sum_by_entry(counts * table * sizes),
    )
    return {entry: MatchTally(*column) for entry, *column in zip(entries.tolist(), *columns, strict=True)}
