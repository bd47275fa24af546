"""Input for a Swiss round: each entry's points, earlier opponents and earlier seats."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from arena.core.ranking.pairing.base import TournamentState
from arena.core.ranking.pairing.seats import SeatCandidate


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """An entry's state before a round is paired.

    ``halves``: its points times two. ``had_bye``: whether it has had a bye or an unplayed win, and so cannot get a bye
    (FIDE Handbook C.04.1, 4). ``floated``: 1 if its last opponent had fewer points, -1 if more, 0 if equally many.
    """

    entry: int
    halves: int
    met: frozenset[int]
    had_bye: bool
    floated: int
    seat_candidate: SeatCandidate


def swiss_players(field: TournamentState) -> list[SwissPlayer]:
    """Return the entries that have not withdrawn, ranked by points, then by seed."""
    points: dict[int, float] = dict.fromkeys(field.entries, 0.0)
    met: dict[int, set[int]] = defaultdict(set)
    seats: dict[int, list[int]] = defaultdict(list)
    had_bye: set[int] = set()
    floated: dict[int, int] = {}
    matches = max((len(one.results) for round_ in field.rounds for one in round_.encounters), default=1) or 1
    for round_ in field.rounds:
        before = dict(points)
        floated = dict.fromkeys(round_.byes, 1)
        had_bye.update(round_.byes)
        for entry in round_.byes:
            points[entry] += matches
        for played in round_.encounters:
            pair = played.encounter.entries
            sat = any(result.played for result in played.results)
            had_bye.update(() if sat else pair)
            for entry, opponent, seat, gained in zip(pair, pair[::-1], (1, -1), played.points, strict=True):
                points[entry] += gained
                met[entry].add(opponent)
                seats[entry] += [seat] if sat else []
                floated[entry] = (before[entry] > before[opponent]) - (before[entry] < before[opponent])
    found = [
        SwissPlayer(
            entry=entry,
            halves=round(2 * points[entry]),
            met=frozenset(met[entry]),
            had_bye=entry in had_bye,
            floated=floated.get(entry, 0),
            seat_candidate=SeatCandidate(entry, seed, tuple(seats[entry])),
        )
        for seed, entry in enumerate(field.entries)
        if entry not in field.withdrawn
    ]
    return sorted(found, key=lambda player: (-player.halves, player.seat_candidate.seed))
