"""Vectorized version of arena.core.ranking.authors for very many results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.core.ranking.authors import Authors
from arena.core.ranking.choices import Ints, Results
from arena.core.ranking.rating import RatedResult


@dataclass(frozen=True, slots=True)
class DatedResults:
    """Results with the number of each one's day, in the order of days."""

    results: Results
    days: Ints


def contests(dated: DatedResults, authors: Authors) -> DatedResults:
    """Return the results without those among one author's bots."""
    results, own = dated.results, _authors(dated.results, authors)
    if not len(results.sizes):
        return dated
    kept = np.minimum.reduceat(own, results.starts) != np.maximum.reduceat(own, results.starts)
    return DatedResults(results.only(kept), dated.days[kept])


def comparisons(dated: DatedResults, authors: Authors) -> DatedResults:
    """Return the contests as comparisons of different authors; tables with several entries of one author change."""
    results = dated.results
    of = results.of_seats
    own = _authors(results, authors)
    order = np.lexsort((own, of))
    again = (of[order][1:] == of[order][:-1]) & (own[order][1:] == own[order][:-1])
    split = np.zeros(len(results.sizes), dtype=np.bool_)
    split[of[order][1:][again]] = True
    if not split.any():
        return dated
    parts, days = [results.only(~split)], [dated.days[~split]]
    for place in np.flatnonzero(split).tolist():
        start, size = int(results.starts[place]), int(results.sizes[place])
        entries, ranks = (column[start : start + size].tolist() for column in (results.entries, results.ranks))
        tables = Results.of(authors.comparisons({RatedResult(tuple(entries), tuple(ranks)): 1}))
        counted = Results(tables.sizes, tables.counts * results.counts[place], tables.entries, tables.ranks)
        parts.append(counted)
        days.append(np.full(len(tables.sizes), dated.days[place]))
    joined, joined_days = Results.joined(parts), np.concatenate(days)
    by_day = np.argsort(joined_days, kind="stable")
    return DatedResults(joined.taken(by_day), joined_days[by_day])


def _authors(results: Results, authors: Authors) -> Ints:
    """Return the author of each seat; entries without one have unique numbers below 0."""
    entries, places = np.unique(results.entries, return_inverse=True)
    owners = np.array([authors.of.get(entry, -1 - entry) for entry in entries.tolist()], dtype=np.int64)
    return owners[places.ravel()]
