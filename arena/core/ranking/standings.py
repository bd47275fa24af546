"""Compute the standings of a tournament from all of its results.

Ranking: points, the sum of the scores (arena.core.ranking.results); then the chosen tiebreaks
(arena.core.ranking.tiebreaks), each among the entries still tied after the previous steps. Direct encounter is applied
again to the remaining ties, as long as it separates any. Entries still tied share the better rank.

Withdrawal (FIDE Handbook C.05, 6.6): an entry that played fewer than half of its matches keeps its results in the
table, but they do not count for its opponents, and it has no rank. If it played at least half, its results count, and
its remaining opponents win without playing (``Result.walkover``). In formats that pair round by round, no matches are
scheduled ahead, so all results count; ``withdrawn`` contains only entries that left before they played, each with 0
matches. They have no rank, but walkovers over them count for their opponents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.core.ranking.results import Result, restrict_to_entries, restrict_to_seats, scores
from arena.core.ranking.tiebreaks import (
    DEFAULT_TIEBREAKS,
    Tiebreak,
    TiebreakInput,
    needs_opponents,
    opponents_met,
    tiebreak_values,
)

__all__ = [
    "Encounters",
    "Result",
    "StandingsRow",
    "annulled_entries",
    "head_to_head",
    "round_sum",
    "scores",
    "standings",
]


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One row of the standings; ``rank`` is None if the results do not count.

    A win is an unshared first rank and a draw is a shared first rank; ``losses`` counts all other matches.
    ``mean_rank``: the mean rank at tables of more than two seats, where it says more than wins and losses; None if the
    entry has not played at such a table. ``tiebreaks``: the value of each chosen tiebreak, None if it was not needed or
    does not apply; empty if the entry has no rank.
    """

    entry: int
    rank: int | None
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    margin: float
    tiebreaks: tuple[float | None, ...] = ()
    mean_rank: float | None = None


@dataclass(slots=True)
class Encounters:
    """The score of one entry against another, and the number of matches between them."""

    points: float = 0.0
    played: int = 0


def standings(
    entries: Sequence[int],
    results: Iterable[Result],
    withdrawn: Mapping[int, int] | None = None,
    tiebreaks: Sequence[Tiebreak] = DEFAULT_TIEBREAKS,
) -> list[StandingsRow]:
    """Return the standings, best first; entries whose results do not count come last, in the given order.

    ``withdrawn``: the entries that left, each with the total number of matches it was due to play, or 0 if that number
    is not fixed. Entries outside ``entries`` are ignored.
    """
    results = list(results)
    left_early = annulled_entries(results, withdrawn or {})
    counted = [entry for entry in entries if entry not in left_early]
    # Without a fixed schedule, nothing is annulled: these entries have lost without playing.
    conceding = frozenset(entry for entry in left_early if not (withdrawn or {})[entry])
    kept = restrict_to_entries(results, conceding.union(counted))
    rows = {entry: _Tally() for entry in counted}
    for result in kept:
        _add_result(rows, result)
    rest = {entry: _Tally() for entry in entries if entry in left_early}
    if rest:
        for result in restrict_to_entries(results, frozenset(entries)):
            _add_result(rest, result)
    return [*_rank_rows(rows, kept, tiebreaks), *(tally.row(entry, None) for entry, tally in rest.items())]


def annulled_entries(results: Iterable[Result], withdrawn: Mapping[int, int]) -> frozenset[int]:
    """Return the withdrawn entries whose results are annulled: they played fewer than half of their matches."""
    played = dict.fromkeys(withdrawn, 0)
    if played:
        for result in results:
            for entry in result.entries:
                if entry in played:
                    played[entry] += result.played
    return frozenset(entry for entry, due in withdrawn.items() if 2 * played[entry] < max(due, 1))


def head_to_head(entries: Iterable[int], results: Iterable[Result]) -> dict[int, dict[int, Encounters]]:
    """Return each entry's score against each opponent, without walkovers."""
    wanted = frozenset(entries)
    table: dict[int, dict[int, Encounters]] = {entry: {} for entry in wanted}
    for result in results:
        seats = [seat for seat, entry in enumerate(result.entries) if entry in wanted]
        for one, other in combinations(seats, 2):
            pair = restrict_to_seats(result, (one, other))
            for (entry, opponent), score in zip((pair.entries, pair.entries[::-1]), scores(pair), strict=True):
                encounters = table[entry].setdefault(opponent, Encounters())
                encounters.points += score
                encounters.played += result.played
    return table


@dataclass(slots=True)
class _Tally:
    points: float = 0.0
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    margin: float = 0.0
    tables: int = 0
    ranks: int = 0  # sum of the ranks at all tables

    def row(self, entry: int, rank: int | None, tiebreaks: tuple[float | None, ...] = ()) -> StandingsRow:
        counts = (self.wins, self.draws, self.losses)
        mean_rank = round_sum(self.ranks / self.tables) if self.tables else None
        return StandingsRow(
            entry, rank, self.points, self.played, *counts, round_sum(self.margin), tiebreaks, mean_rank
        )


def round_sum(figure: float) -> float:
    """Round a sum, because its last digits depend on the order of summation."""
    return round(figure, 6)


def _add_result(rows: dict[int, _Tally], result: Result) -> None:
    shared = result.ranks.count(1) > 1
    for entry, rank, margin, score in zip(result.entries, result.ranks, result.margins, scores(result), strict=True):
        tally = rows.get(entry)
        if tally is None:
            continue
        tally.points += score
        tally.played += result.played
        tally.margin += margin
        if len(result.entries) > 2 and result.played:
            tally.tables += 1
            tally.ranks += rank
        if rank > 1 or entry in result.forfeits:
            tally.losses += 1
        elif shared:
            tally.draws += 1
        else:
            tally.wins += 1


def _rank_rows(rows: dict[int, _Tally], results: list[Result], tiebreaks: Sequence[Tiebreak]) -> list[StandingsRow]:
    tables = TiebreakInput(
        points={entry: tally.points for entry, tally in rows.items()},
        wins={entry: tally.wins for entry, tally in rows.items()},
        margins={entry: round_sum(tally.margin) for entry, tally in rows.items()},
        results=results,
        met=opponents_met(results) if needs_opponents(tiebreaks) else {},
    )
    groups = _split_by_key(rows, tables.points)
    shown: list[Mapping[int, float]] = []
    for tiebreak in tiebreaks:
        if tiebreak == Tiebreak.DIRECT_ENCOUNTER:
            groups, among_level = _split_by_direct_encounter(groups, tables)
            shown.append(among_level)
        elif rows:
            found = tiebreak_values(tiebreak, [list(rows)], tables)[next(iter(rows))]
            groups = [half for group in groups for half in _split_by_key(group, found)]
            shown.append(found)
    table: list[StandingsRow] = []
    for group in groups:
        rank = len(table) + 1
        table += [rows[entry].row(entry, rank, tuple(found.get(entry) for found in shown)) for entry in group]
    return table


def _split_by_key(entries: Iterable[int], keys: Mapping[int, float]) -> list[list[int]]:
    """Split the entries into groups of equal keys, greatest key first; keep the order within a group."""
    groups: dict[float, list[int]] = defaultdict(list)
    for entry in entries:
        groups[keys[entry]].append(entry)
    return [groups[key] for key in sorted(groups, reverse=True)]


def _split_by_direct_encounter(
    groups: list[list[int]], tables: TiebreakInput
) -> tuple[list[list[int]], dict[int, float]]:
    """Split each group by the results among its members; repeat until no group can be split further.

    Return the groups, and every entry's score in the matches among the entries that were initially tied with it.
    """
    shown: dict[int, float] = {}
    undecided = [len(group) > 1 for group in groups]
    while any(undecided):
        level = [group for group, open_ in zip(groups, undecided, strict=True) if open_]
        found = tiebreak_values(Tiebreak.DIRECT_ENCOUNTER, level, tables)
        next_groups: list[list[int]] = []
        next_undecided: list[bool] = []
        for group, open_ in zip(groups, undecided, strict=True):
            parts = _split_by_key(group, found[group[0]]) if open_ and group[0] in found else [group]
            next_groups += parts
            next_undecided += [len(parts) > 1 and len(one) > 1 for one in parts]
            if open_:
                shown = {**found.get(group[0], {}), **shown}
        groups, undecided = next_groups, next_undecided
    return groups, shown
