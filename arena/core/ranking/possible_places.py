"""Compute the places in which an entry can still finish.

Invariants: as long as nobody withdraws, the remaining matches cannot lead to a place outside the range from ``best`` to
``worst``. Entries with equal points may finish in either order, because tiebreaks are decided last. A ``worst`` of 1 is
exact, and so is a ``best`` of 1 if the remaining pairings are known; other bounds may be wider than necessary.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.core.ranking.pairing.base import PairingSystem, TournamentState
from arena.core.ranking.pairing.playout import MAX_PLAYED_OUT_ENTRIES, play_out
from arena.core.ranking.standings import StandingsRow

Pair = tuple[int, int]
_SLACK: Final = 1e-6  # sums of half points are exact, sums of scores may not be
_MAX_CONTENDERS: Final = 24  # with more entries in reach of first place, only the bound is computed


@dataclass(frozen=True, slots=True)
class PlaceRange:
    """The best and the worst place in which an entry can finish, counted from 1."""

    best: int
    worst: int


def possible_places(
    points: Mapping[int, float], gains: Mapping[int, float], left: Mapping[Pair, int] | None = None
) -> dict[int, PlaceRange]:
    """Return the places in which each entry can finish, judged by points.

    ``points``: current points of each ranked entry. ``gains``: the most points that each entry can still win. ``left``:
    how many matches each pair has yet to play, each of which divides one point between the two; None if this is unknown
    or does not apply.
    """
    most = {entry: own + gains.get(entry, 0.0) for entry, own in points.items()}
    behind, ahead = sorted(most.values()), sorted(points.values())
    bounds = {
        entry: PlaceRange(
            best=1 + len(ahead) - bisect_right(ahead, most[entry] + _SLACK),
            worst=len(behind) - bisect_left(behind, own - _SLACK),
        )
        for entry, own in points.items()
    }
    contenders = [entry for entry, bound in bounds.items() if bound.best == 1]
    if left is None or len(contenders) > _MAX_CONTENDERS:
        return bounds
    beaten = [entry for entry in contenders if not _can_be_first(entry, points, most, left)]
    return bounds | {entry: replace(bounds[entry], best=2) for entry in beaten}


def _can_be_first(entry: int, points: Mapping[int, float], most: Mapping[int, float], left: Mapping[Pair, int]) -> bool:
    """Return whether the entry can still finish first.

    Assumes that it wins all its matches, and looks for results of the other matches that let nobody pass it.

    This is the elimination problem of B. L. Schwartz, SIAM Review 8 (1966), in half points: each match awards two.
    """
    room = {other: round(2 * (most[entry] - own) + _SLACK) for other, own in points.items() if other != entry}
    games = {pair: count for pair, count in left.items() if count and entry not in pair}
    total: dict[int, int] = {}
    for pair, count in games.items():
        for one in pair:
            total[one] = total.get(one, 0) + 2 * count
    # Entries that cannot pass this one even by winning everything can take all the points from their matches.
    tight = {one for one in total if one in room and total[one] > room[one]}
    contested = {pair: 2 * count for pair, count in games.items() if tight.issuperset(pair)}
    return not contested or _can_be_assigned(contested, {one: room[one] for one in tight})


def _can_be_assigned(contested: Mapping[Pair, int], room: Mapping[int, int]) -> bool:
    """Return whether the half points of these pairs can be divided without exceeding any entry's ``room``.

    This is a maximum flow problem.
    """
    from networkx import DiGraph, maximum_flow_value  # slow to import (a third of a second), and few processes need it

    graph = DiGraph()
    for pair, halves in contested.items():
        graph.add_edge("matches", pair, capacity=halves)
        for one in pair:
            graph.add_edge(pair, one)
            graph.add_edge(one, "room", capacity=room[one])
    return bool(maximum_flow_value(graph, "matches", "room") == sum(contested.values()))


def possible_bracket_places(
    system: PairingSystem, field: TournamentState, ranked: Container[int] | None = None
) -> dict[int, PlaceRange]:
    """Return each ranked entry's best and worst place in a knockout.

    The entry takes the best place if it wins all its remaining encounters, and the worst place if it loses all of them.
    ``ranked``: the entries that have places; None for all. Return an empty dictionary for brackets too large to
    display.
    """
    if len(field.entries) > MAX_PLAYED_OUT_ENTRIES:
        return {}
    table = [
        StandingsRow(entry, 1 if ranked is None or entry in ranked else None, 0.0, 0, 0, 0, 0, 0.0)
        for entry in field.entries
    ]
    return {
        row.entry: PlaceRange(
            *sorted(_final_place(system, field, table, row.entry, wins=wins) for wins in (True, False))
        )
        for row in table
        if row.rank is not None
    }


def _final_place(
    system: PairingSystem, field: TournamentState, table: Sequence[StandingsRow], entry: int, *, wins: bool
) -> int:
    """Return an entry's place if it wins (or loses) all its remaining matches; no other results affect this place."""
    played = play_out(system.next_round, field, entry, wins=wins)
    return next(row.rank or 1 for row in system.rank_entries(played, table) if row.entry == entry)
