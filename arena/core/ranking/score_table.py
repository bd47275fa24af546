"""Compute the standings of a score attack from its results.

Ranking: entries without a fault come first, then entries with fewer faults. Ties are broken by the higher mean score,
then by the best single score; remaining ties share the better rank. Once all entries have played the same number of
matches, the mean gives the same order as the total; unlike the total, it does not penalize an entry for a void match. A
fault outweighs any score, because otherwise a bot could gain by faulting while its score is at its peak. Entries that
withdrew or have not played have no rank, so leaving after a lucky random seed gains nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from arena.core.ranking.results import Result
from arena.core.ranking.standings import StandingsRow, round_sum


@dataclass(slots=True)
class _Scores:
    scores: list[float] = field(default_factory=list)
    faults: int = 0

    @property
    def mean(self) -> float:
        return round_sum(sum(self.scores) / len(self.scores))

    @property
    def key(self) -> tuple[float, ...]:
        return (self.faults, -self.mean, -max(self.scores))

    def row(self, entry: int, rank: int | None) -> StandingsRow:
        total = round_sum(sum(self.scores))
        figures = (self.mean, max(self.scores)) if self.scores else ()
        return StandingsRow(entry, rank, total, len(self.scores), 0, 0, self.faults, total, figures)


def score_table(
    entries: Sequence[int], results: Iterable[Result], withdrawn: Collection[int] = ()
) -> list[StandingsRow]:
    """Return the standings, best first; withdrawn and inactive entries come last, without a rank, in the given order.

    Each row has the total in ``points`` and ``margin``, the number of matches with a fault in ``losses``, and the mean
    and the best score in ``tiebreaks``. The score of a seat is its margin.
    """
    found: dict[int, _Scores] = defaultdict(_Scores)
    for result in results:
        for entry, score in zip(result.entries, result.margins, strict=True):
            found[entry].scores.append(score)
            found[entry].faults += entry in result.forfeits
    ranked = [entry for entry in entries if found[entry].scores and entry not in withdrawn]
    ranked.sort(key=lambda entry: found[entry].key)
    rows: list[StandingsRow] = []
    for place, entry in enumerate(ranked, start=1):
        level = bool(rows) and found[rows[-1].entry].key == found[entry].key
        rows.append(found[entry].row(entry, rows[-1].rank if level else place))
    last = frozenset(ranked)
    return [*rows, *(found[entry].row(entry, None) for entry in entries if entry not in last)]
