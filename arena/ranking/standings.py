"""The table of a tournament, computed afresh from its results.

Ranking, each step among those whom the steps before left level:

1. Points: the sum of the scores (``scores``).
2. Direct encounter: points from the matches among exactly the tied (FIDE Handbook C.07, article 6,
   DE), applied again to those who are still level. It needs all of them to have met, each equally often.
3. Wins, those by forfeit included (C.07, article 7.1, WIN).
4. Margin: the sum of disc differences or golden-point scores; the games' own measure, not FIDE's.

Who is still level shares the better rank.

Withdrawal (FIDE General Regulations for Competitions, Handbook C.05, on leaving a round robin): an entry
that played fewer than half of its matches keeps its results in the table, but they count for nobody and
it has no rank. After at least half they count, and who had still to meet it wins without play
(``Result.walkover``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

_NOBODY: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """One match: entries in the order of their seats with rank (1 is best, equals share the better) and margin.

    ``forfeits``: entries that lost by a fault. ``played``: False where nobody sat down.
    """

    entries: tuple[int, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    forfeits: frozenset[int] = _NOBODY
    played: bool = True

    @classmethod
    def walkover(cls, winner: int, withdrawn: int) -> Result:
        """The unplayed match of an entry that has left and is counted."""
        return cls((winner, withdrawn), (1, 2), (0.0, 0.0), frozenset({withdrawn}), played=False)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``rank`` is None where the results do not count.

    A win is the first rank alone, a draw the first rank shared; whoever forfeited has lost.
    """

    entry: int
    rank: int | None
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    margin: float


@dataclass(slots=True)
class Encounters:
    """What one entry scored against another, in how many matches."""

    points: float = 0.0
    played: int = 0


def scores(result: Result) -> tuple[float, ...]:
    """The score of every seat: one for each seat it is ranked above, half for each it is level with.

    For two seats that is 1, 1/2, 0. For more it is divided by nothing: a place at a larger table is worth
    more, as many encounters are. Two entries that both forfeited are level and get nothing for it.
    """
    ranks = result.ranks
    if len(ranks) == 2:
        first, second = ranks
        if first != second:
            return (1.0, 0.0) if first < second else (0.0, 1.0)
        if not result.forfeits:
            return 0.5, 0.5
    levels: dict[int, list[int]] = defaultdict(list)
    for seat, rank in enumerate(ranks):
        levels[rank].append(seat)
    found = [0.0] * len(ranks)
    below = len(ranks)
    for rank in sorted(levels):
        seats = levels[rank]
        below -= len(seats)
        clean = sum(result.entries[seat] not in result.forfeits for seat in seats)
        for seat in seats:
            forfeited = result.entries[seat] in result.forfeits
            found[seat] = below + (clean if forfeited else len(seats) - 1) / 2
    return tuple(found)


def standings(
    entries: Sequence[int], results: Iterable[Result], withdrawn: Mapping[int, int] | None = None
) -> list[Row]:
    """The table, best first; entries whose results do not count come last, in the given order.

    ``withdrawn``: the entries that left and how many matches each was to play in all.
    Entries outside ``entries`` are ignored.
    """
    results = list(results)
    left_early = uncounted(results, withdrawn or {})
    counted = [entry for entry in entries if entry not in left_early]
    kept = _among(results, frozenset(counted))
    rows = {entry: _Tally() for entry in counted}
    for result in kept:
        _add(rows, result)
    rest = {entry: _Tally() for entry in entries if entry in left_early}
    if rest:
        for result in _among(results, frozenset(entries)):
            _add(rest, result)
    return [*_ranked(rows, kept), *(tally.row(entry, None) for entry, tally in rest.items())]


def uncounted(results: Iterable[Result], withdrawn: Mapping[int, int]) -> frozenset[int]:
    """Those of ``withdrawn`` whose results count for nobody: they played fewer than half of their matches."""
    played = dict.fromkeys(withdrawn, 0)
    if played:
        for result in results:
            for entry in result.entries:
                if entry in played:
                    played[entry] += result.played
    return frozenset(entry for entry, due in withdrawn.items() if 2 * played[entry] < max(due, 1))


def head_to_head(entries: Iterable[int], results: Iterable[Result]) -> dict[int, dict[int, Encounters]]:
    """What each of these entries scored against each other one that it met; walkovers count as not played."""
    wanted = frozenset(entries)
    table: dict[int, dict[int, Encounters]] = {entry: {} for entry in wanted}
    for result in results:
        seats = [seat for seat, entry in enumerate(result.entries) if entry in wanted]
        for one, other in combinations(seats, 2):
            pair = _part(result, (one, other))
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

    def row(self, entry: int, rank: int | None) -> Row:
        return Row(entry, rank, self.points, self.played, self.wins, self.draws, self.losses, self.margin)


def _among(results: list[Result], entries: frozenset[int]) -> list[Result]:
    """The results as they are without everybody else; a match of one is none."""
    kept = []
    for result in results:
        if entries.issuperset(result.entries):
            kept.append(result)
            continue
        seats = tuple(seat for seat, entry in enumerate(result.entries) if entry in entries)
        if len(seats) > 1:
            kept.append(_part(result, seats))
    return kept


def _part(result: Result, seats: tuple[int, ...]) -> Result:
    """The result of some seats among themselves: the order of their ranks is kept, the best is first."""
    ranks = [result.ranks[seat] for seat in seats]
    ordered = sorted(ranks)
    entries = tuple(result.entries[seat] for seat in seats)
    return Result(
        entries,
        tuple(1 + bisect_left(ordered, rank) for rank in ranks),
        tuple(result.margins[seat] for seat in seats),
        result.forfeits,
        result.played,
    )


def _add(rows: dict[int, _Tally], result: Result) -> None:
    shared = result.ranks.count(1) > 1
    for entry, rank, margin, score in zip(result.entries, result.ranks, result.margins, scores(result), strict=True):
        tally = rows.get(entry)
        if tally is None:
            continue
        tally.points += score
        tally.played += result.played
        tally.margin += margin
        if rank > 1 or entry in result.forfeits:
            tally.losses += 1
        elif shared:
            tally.draws += 1
        else:
            tally.wins += 1


def _ranked(rows: dict[int, _Tally], results: list[Result]) -> list[Row]:
    table: list[Row] = []
    for group in _by_direct_encounter(_split(rows, {entry: (tally.points,) for entry, tally in rows.items()}), results):
        keys = {entry: (float(rows[entry].wins), rows[entry].margin) for entry in group}
        for level in _split(group, keys):
            rank = len(table) + 1
            table += [rows[entry].row(entry, rank) for entry in level]
    return table


def _split(entries: Iterable[int], keys: Mapping[int, tuple[float, ...]]) -> list[list[int]]:
    """The entries in groups of equal keys, the greatest key first; the order within a group is kept."""
    groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for entry in entries:
        groups[keys[entry]].append(entry)
    return [groups[key] for key in sorted(groups, reverse=True)]


def _by_direct_encounter(groups: list[list[int]], results: list[Result]) -> list[list[int]]:
    """Split each group by the matches among its members, and the parts again, as long as that parts anybody."""
    undecided = [len(group) > 1 for group in groups]
    while any(undecided):
        found = _mutual_scores([group for group, open_ in zip(groups, undecided, strict=True) if open_], results)
        next_groups: list[list[int]] = []
        next_undecided: list[bool] = []
        for group, open_ in zip(groups, undecided, strict=True):
            parts = _split(group, found[group[0]]) if open_ and group[0] in found else [group]
            next_groups += parts
            next_undecided += [len(parts) > 1 and len(part) > 1 for part in parts]
        groups, undecided = next_groups, next_undecided
    return groups


def _mutual_scores(groups: list[list[int]], results: list[Result]) -> dict[int, dict[int, tuple[float, ...]]]:
    """By the first entry of each group that direct encounter applies to: points against the rest of the group."""
    group_of = {entry: number for number, group in enumerate(groups) for entry in group}
    points = [dict.fromkeys(group, 0.0) for group in groups]
    met = [dict.fromkeys(group, 0) for group in groups]
    pairs: list[set[tuple[int, int]]] = [set() for _ in groups]
    for result in results:
        for number, seats in _seats_by_group(result, group_of).items():
            part = _part(result, tuple(seats))
            for entry, score in zip(part.entries, scores(part), strict=True):
                points[number][entry] += score
                met[number][entry] += len(seats) - 1
            if len(pairs[number]) < len(groups[number]) * (len(groups[number]) - 1) // 2:
                pairs[number].update(combinations(sorted(part.entries), 2))
    return {
        group[0]: {entry: (score,) for entry, score in points[number].items()}
        for number, group in enumerate(groups)
        if len(pairs[number]) == len(group) * (len(group) - 1) // 2 and len(set(met[number].values())) == 1
    }


def _seats_by_group(result: Result, group_of: Mapping[int, int]) -> dict[int, list[int]]:
    """The seats of those who are tied with somebody else in this match, by their group."""
    if len(result.entries) == 2:
        one, other = result.entries
        number = group_of.get(one)
        return {} if number is None or number != group_of.get(other) else {number: [0, 1]}
    seats: dict[int, list[int]] = defaultdict(list)
    for seat, entry in enumerate(result.entries):
        number = group_of.get(entry)
        if number is not None:
            seats[number].append(seat)
    return {number: own for number, own in seats.items() if len(own) > 1}
