"""The result of one match, and the score of each seat."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_NOBODY: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """One match: entries in seat order with rank (1 is best, ties share the better rank) and margin.

    ``forfeits``: entries that lost because of a fault. ``played``: False for unplayed matches. ``encounter``: matches
    with the same number belong to one encounter; None for a single match.
    """

    entries: tuple[int, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    forfeits: frozenset[int] = _NOBODY
    played: bool = True
    encounter: int | None = None

    @classmethod
    def walkover(cls, winner: int, withdrawn: int, encounter: int | None = None) -> Result:
        """Create the result of an unplayed win over an entry that has withdrawn but whose results count."""
        return cls((winner, withdrawn), (1, 2), (0.0, 0.0), frozenset({withdrawn}), played=False, encounter=encounter)

    @classmethod
    def bye(cls, entry: int, encounter: int | None = None) -> Result:
        """Create a bye, which counts as an unplayed win; an encounter of several matches needs one for each match."""
        return cls((entry,), (1,), (0.0,), played=False, encounter=encounter)


def scores(result: Result) -> tuple[float, ...]:
    """Return the score of every seat: one point per seat ranked below, half a point per other seat at its rank.

    With two seats, the score is 1, 1/2 or 0; a bye is worth 1. At larger tables the sum is not normalized: a table of n
    seats counts as n - 1 encounters. Two entries that both forfeited are tied and score nothing against each other.
    """
    ranks = result.ranks
    if len(ranks) == 1:
        return (1.0,)
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


def restrict_to_seats(result: Result, seats: tuple[int, ...]) -> Result:
    """Return the result restricted to some seats, with ranks renumbered in the same order."""
    ranks = [result.ranks[seat] for seat in seats]
    ordered = sorted(ranks)
    return Result(
        tuple(result.entries[seat] for seat in seats),
        tuple(1 + bisect_left(ordered, rank) for rank in ranks),
        tuple(result.margins[seat] for seat in seats),
        result.forfeits,
        result.played,
        result.encounter,
    )


def restrict_to_entries(results: Iterable[Result], entries: frozenset[int]) -> list[Result]:
    """Restrict the results to these entries; drop matches with only one of these entries."""
    kept = []
    for result in results:
        if entries.issuperset(result.entries):
            kept.append(result)
            continue
        seats = tuple(seat for seat, entry in enumerate(result.entries) if entry in entries)
        if len(seats) > 1:
            kept.append(restrict_to_seats(result, seats))
    return kept
