"""Rate a batch of results at once; the site computes its ratings day by day (``arena.ratings.computation``)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arena.core.ranking.choices import CountedResults, choices
from arena.core.ranking.likelihood import Model, PairGraph, Prior, sum_by_index
from arena.core.ranking.plackett_luce import deviations, fit_strengths
from arena.core.ranking.rating import CENTRE, PER_NEPER, RatedResult, Rating


def rate_entries(
    results: Mapping[RatedResult, float], predecessors: Mapping[int, int] | None = None
) -> dict[int, Rating]:
    """Rate every entry that has results or a predecessor; ``results`` maps each result to how often it occurred.

    ``predecessors``: maps each later version to the version before it. Matches of an entry against itself are ignored.
    """
    before = dict(predecessors or {})
    compared = CountedResults.from_counts(results).drop_incomparable()
    lineage = np.array([*before, *before.values()], dtype=np.int64)
    entries = np.unique(np.concatenate([compared.entries, lineage]))
    if not len(entries):
        return {}
    today = np.zeros(len(compared.sizes), dtype=np.int64)
    found = choices(compared.renumber(entries), today, len(entries), 0)
    graph = PairGraph.from_pairs(found.pairs.members, len(entries))
    model = Model(
        wins=sum_by_index(found.win_entries, found.win_weights, len(entries)),
        pairs=graph,
        choice_counts=graph.expand_pairs(found.pairs.choice_counts()),
        tables=[(sets.members, sets.choice_counts()) for sets in found.tables],
        prior=Prior(
            np.ones(len(entries), dtype=np.bool_),
            np.searchsorted(entries, np.array([*before], dtype=np.int64)),
            np.searchsorted(entries, np.array([*before.values()], dtype=np.int64)),
        ),
    )
    strengths = fit_strengths(model, np.zeros(len(entries)))
    return {
        int(entry): Rating(CENTRE + PER_NEPER * float(strength), PER_NEPER * float(deviation))
        for entry, strength, deviation in zip(entries, strengths, deviations(model, strengths), strict=True)
    }
