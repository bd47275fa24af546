"""Rankings as sequences of choices, stored in arrays for Plackett-Luce ratings from many results.

A ranking of m entries is up to m - 1 choices: the first from all m, the next from the rest, and so on. Choices from the
same set are merged, and the sets are sorted by the first day on which an entry was chosen from them, so the choices up
to any day are a prefix of these arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.core.ranking.rating import RatedResult

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
_LARGEST_KEY: Final = 2**62
_SPARSE: Final = 8


@dataclass(frozen=True, slots=True)
class CountedResults:
    """The results and how many times each occurred.

    ``sizes`` and ``counts`` are indexed by result, ``entries`` and ``ranks`` by seat.
    """

    sizes: Ints
    counts: Floats
    entries: Ints
    ranks: Ints

    @classmethod
    def from_counts(cls, results: Mapping[RatedResult, float]) -> CountedResults:
        ordered = sorted(results)
        return cls(
            np.array([len(result.entries) for result in ordered], dtype=np.int64),
            np.array([results[result] for result in ordered], dtype=np.float64),
            np.array([entry for result in ordered for entry in result.entries], dtype=np.int64),
            np.array([rank for result in ordered for rank in result.ranks], dtype=np.int64),
        )

    @classmethod
    def concatenate(cls, parts: Sequence[CountedResults]) -> CountedResults:
        return cls(
            np.concatenate([np.empty(0, np.int64), *(part.sizes for part in parts)]),
            np.concatenate([np.empty(0), *(part.counts for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.entries for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.ranks for part in parts)]),
        )

    def drop_incomparable(self) -> CountedResults:
        """Drop results with a single seat, and results in which an entry occurs twice."""
        of = self.result_indices
        order = np.lexsort((self.entries, of))
        of_sorted, entries = of[order], self.entries[order]
        again = (of_sorted[1:] == of_sorted[:-1]) & (entries[1:] == entries[:-1])
        kept = self.sizes > 1
        kept[of_sorted[1:][again]] = False
        return self.select(kept)

    def select(self, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> CountedResults:
        """Return the results for which the mask is true."""
        if kept.all():
            return self
        seats = kept[self.result_indices]
        return CountedResults(self.sizes[kept], self.counts[kept], self.entries[seats], self.ranks[seats])

    def reorder(self, order: Ints) -> CountedResults:
        """Return the results in this order."""
        sizes = self.sizes[order]
        seats = np.repeat(self.first_seats[order] - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(self.entries))
        return CountedResults(sizes, self.counts[order], self.entries[seats], self.ranks[seats])

    def renumber(self, entries: Ints) -> CountedResults:
        """Return the results with each entry replaced by its index in ``entries``, which must be sorted."""
        indices = np.searchsorted(entries, self.entries).astype(np.int64)
        return CountedResults(self.sizes, self.counts, indices, self.ranks)

    @property
    def result_indices(self) -> Ints:
        """Return, for each seat, the index of its result."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def first_seats(self) -> Ints:
        """Return the index of each result's first seat."""
        starts: Ints = np.cumsum(self.sizes) - self.sizes
        return starts


@dataclass(frozen=True, slots=True)
class ChoiceSets:
    """The sets of one size, and the choices made from them, in chronological order.

    ``members``: one row per set. ``known_by_day``: for each day, the number of sets known by the end of that day.
    ``days``, ``rows`` and ``weights``: the day of each choice, the row of its set in ``members``, and its weight.
    """

    members: Ints
    known_by_day: Ints
    days: Ints
    rows: Ints
    weights: Floats

    def choice_counts(self) -> Floats:
        """Return how many times a choice was made from each set, over all days."""
        return np.bincount(self.rows, self.weights, minlength=len(self.members)).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices that make up a set of results.

    ``win_days``, ``win_entries`` and ``win_weights``: when and how often each entry was chosen. ``pairs``: the sets
    of two entries, of which there may be none; ``tables``: the larger sets, in ascending order of size.
    """

    win_days: Ints
    win_entries: Ints
    win_weights: Floats
    pairs: ChoiceSets
    tables: tuple[ChoiceSets, ...]


def choices(results: CountedResults, days: Ints, entries: int, last_day: int) -> Choices:
    """Return the choices that make up the results.

    ``results``: filtered by ``CountedResults.drop_incomparable``, with entries numbered from 0. ``days``: the day
    number of each result.
    """
    wins: list[tuple[Ints, Ints, Floats]] = []
    chosen = {2: [(np.empty(0, np.int64), np.empty((0, 2), np.int64), np.empty(0))]}
    for size in np.unique(results.sizes).tolist():
        for stage in _stages(results, days, size):
            wins.append(stage.wins)
            chosen.setdefault(stage.members.shape[1], []).append((stage.days, stage.members, stage.weights))
    pairs, *tables = (_merge_equal_sets(parts, entries, last_day) for _, parts in sorted(chosen.items()))
    return Choices(*_sort_by_day(wins), pairs=pairs, tables=tuple(tables))


@dataclass(frozen=True, slots=True)
class _ChoiceStage:
    """The choices from sets that all have the same size. ``wins``: the day, chosen entry and weight of each choice."""

    days: Ints
    members: Ints
    weights: Floats
    wins: tuple[Ints, Ints, Floats]


def _stages(results: CountedResults, days: Ints, size: int) -> Iterator[_ChoiceStage]:
    """Yield the stages of all results of one size.

    The stages are the choice of first place, then of the best of the rest, and so on.
    """
    where = np.flatnonzero(results.sizes == size)
    seats = results.first_seats[where][:, None] + np.arange(size)
    entries, ranks = results.entries[seats], results.ranks[seats]
    today, counts = days[where], results.counts[where]
    order = _rank_order(ranks)
    entries, ranks = np.take_along_axis(entries, order, 1), np.take_along_axis(ranks, order, 1)
    for first in range(size - 1):
        begins = ranks[:, first] != ranks[:, first - 1] if first else np.ones(len(ranks), dtype=np.bool_)
        members, rest = entries[begins, first:], ranks[begins, first:]
        equals = rest == rest[:, :1]
        several = equals.sum(axis=1)
        # Each tied entry is chosen from the same set. In the last group, one choice is certain and does not count.
        share = np.where(several < size - first, 1.0, 1 - 1 / several)
        weights = counts[begins] * share
        rows, columns = np.nonzero(equals)
        wins = (today[begins][rows], members[rows, columns], weights[rows])
        yield _ChoiceStage(today[begins], np.sort(members, axis=1), weights * several, wins)


def _rank_order(ranks: Ints) -> Ints:
    """Return the stable sort order of the ranks in each row; rows of two, the most common size, take a fast path."""
    if ranks.shape[1] != 2:
        return np.argsort(ranks, axis=1, kind="stable").astype(np.int64, copy=False)
    swapped = ranks[:, 0] > ranks[:, 1]
    return np.stack([swapped, ~swapped], axis=1).astype(np.int64)


def _sort_by_day(parts: Sequence[tuple[Ints, Ints, Floats]]) -> tuple[Ints, Ints, Floats]:
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    days, entries, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(days, kind="stable")
    return days[order], entries[order], weights[order]


def _merge_equal_sets(parts: Sequence[tuple[Ints, Ints, Floats]], entries: int, last_day: int) -> ChoiceSets:
    """Merge equal sets; sort them by the day on which each first occurs."""
    days, members, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(days, kind="stable")
    days, members, weights = days[order], members[order], weights[order]
    first, group = _unique_rows(members, entries)
    by_first_day = np.argsort(first, kind="stable")  # sorts by day too, because ``days`` is sorted
    rank = np.empty_like(by_first_day)
    rank[by_first_day] = np.arange(len(by_first_day))
    first = first[by_first_day]
    known_by_day = np.searchsorted(days[first], np.arange(last_day + 1), side="right")
    members = np.asfortranarray(members[first])  # column-major, the order in which the model reads them
    return ChoiceSets(members, known_by_day.astype(np.int64), days, rank[group].astype(np.int64), weights)


def _unique_rows(members: Ints, entries: int) -> tuple[Ints, Ints]:
    """Return the first index of each group of equal rows and, for each row, the number of its group."""
    size = members.shape[1]
    if max(entries, 2) ** size < _LARGEST_KEY:
        keys = members @ (np.int64(max(entries, 2)) ** np.arange(size, dtype=np.int64))
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, group = np.unique(members, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), group.ravel().astype(np.int64)


def distinct_values(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values (all at least 0) in ascending order, and the index of each value among them.

    Does not sort, unless the largest value is much larger than the number of values.
    """
    largest = int(values.max(initial=0))
    if largest > _SPARSE * (len(values) + 1):
        found, indices = np.unique(values, return_inverse=True)
        return found, indices.ravel().astype(np.int64)
    present = np.zeros(largest + 1, dtype=np.bool_)
    present[values] = True
    return np.flatnonzero(present).astype(np.int64), (np.cumsum(present) - 1)[values]
