"""Points from the matches among the tied entries (direct encounter; FIDE Handbook C.07, 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from arena.core.ranking.results import Result, restrict_to_seats, scores


def mutual_scores(groups: Sequence[Sequence[int]], results: Iterable[Result]) -> dict[int, dict[int, float]]:
    """Return the entries' scores within each group of tied entries, keyed by the first entry of the group.

    Groups are left out if some of their entries have not met, or if some have played more matches than others. This
    takes one pass over the results.
    """
    group_of = {entry: number for number, group in enumerate(groups) for entry in group}
    points = [dict.fromkeys(group, 0.0) for group in groups]
    met = [dict.fromkeys(group, 0) for group in groups]
    pairs: list[set[tuple[int, int]]] = [set() for _ in groups]
    for result in results:
        for number, seats in _seats_by_group(result, group_of).items():
            own = restrict_to_seats(result, tuple(seats))
            for entry, score in zip(own.entries, scores(own), strict=True):
                points[number][entry] += score
                met[number][entry] += len(seats) - 1
            if len(pairs[number]) < len(groups[number]) * (len(groups[number]) - 1) // 2:
                pairs[number].update(combinations(sorted(own.entries), 2))
    return {
        group[0]: points[number]
        for number, group in enumerate(groups)
        if len(pairs[number]) == len(group) * (len(group) - 1) // 2 and len(set(met[number].values())) == 1
    }


def _seats_by_group(result: Result, group_of: Mapping[int, int]) -> dict[int, list[int]]:
    """Return the seats of tied entries that met another entry of their group in this match, keyed by group."""
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
