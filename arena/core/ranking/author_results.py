"""Vectorized version of arena.core.ranking.authors for large numbers of results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.core.ranking.authors import Authors
from arena.core.ranking.choices import CountedResults, Ints, distinct_values
from arena.core.ranking.rating import RatedResult


@dataclass(frozen=True, slots=True)
class DatedResults:
    """The results in chronological order. ``days``: the day number of each result."""

    results: CountedResults
    days: Ints


def contested_results(dated: DatedResults, authors: Authors) -> DatedResults:
    """Drop results in which all bots have the same author."""
    results, own = dated.results, _authors_of_seats(dated.results, authors)
    if not len(results.sizes):
        return dated
    kept = np.minimum.reduceat(own, results.first_seats) != np.maximum.reduceat(own, results.first_seats)
    return DatedResults(results.select(kept), dated.days[kept])


def comparable_results(dated: DatedResults, authors: Authors) -> DatedResults:
    """Split tables as ``Authors.comparable_results`` does; ``dated`` must come from ``contested_results``."""
    results, split = dated.results, np.zeros(len(dated.results.sizes), dtype=np.bool_)
    tables = results.sizes > 2  # no result with two seats has a single author
    split[tables] = _has_an_author_twice(results.select(tables), authors)
    if not split.any():
        return dated
    parts, days = [results.select(~split)], [dated.days[~split]]
    for place in np.flatnonzero(split).tolist():
        start, size = int(results.first_seats[place]), int(results.sizes[place])
        entries, ranks = (column[start : start + size].tolist() for column in (results.entries, results.ranks))
        parted = CountedResults.from_counts(authors.comparable_results({RatedResult(tuple(entries), tuple(ranks)): 1}))
        parts.append(CountedResults(parted.sizes, parted.counts * results.counts[place], parted.entries, parted.ranks))
        days.append(np.full(len(parted.sizes), dated.days[place]))
    joined, joined_days = CountedResults.concatenate(parts), np.concatenate(days)
    by_day = np.argsort(joined_days, kind="stable")
    return DatedResults(joined.reorder(by_day), joined_days[by_day])


def _has_an_author_twice(results: CountedResults, authors: Authors) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    of, own = results.result_indices, _authors_of_seats(results, authors)
    order = np.lexsort((own, of))
    again = (of[order][1:] == of[order][:-1]) & (own[order][1:] == own[order][:-1])
    found = np.zeros(len(results.sizes), dtype=np.bool_)
    found[of[order][1:][again]] = True
    return found


def _authors_of_seats(results: CountedResults, authors: Authors) -> Ints:
    """Return the author of each seat; each entry without an author gets a unique negative number instead."""
    entries, places = distinct_values(results.entries)
    owners = np.array([authors.of.get(entry, -1 - entry) for entry in entries.tolist()], dtype=np.int64)
    return owners[places]
