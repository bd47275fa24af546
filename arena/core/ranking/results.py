"""The result of one match, and what each seat scores in it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_NOBODY: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """One match: entries in the order of their seats with rank (1 is best, equals share the better) and margin.

    ``forfeits``: entries that lost by a fault. ``played``: False where nobody sat down.
    ``encounter``: matches with the same number belong to one encounter; None is one by itself.
    """

    entries: tuple[int, ...]
    ranks: tuple[int, ...]
    margins: tuple[float, ...]
    forfeits: frozenset[int] = _NOBODY
    played: bool = True
    encounter: int | None = None

    @classmethod
    def walkover(cls, winner: int, withdrawn: int, encounter: int | None = None) -> Result:
        """The unplayed match of an entry that has left and is counted."""
        return cls((winner, withdrawn), (1, 2), (0.0, 0.0), frozenset({withdrawn}), played=False, encounter=encounter)

    @classmethod
    def bye(cls, entry: int, encounter: int | None = None) -> Result:
        """A match that is won because nobody was left to play it: one of as many as an encounter has."""
        return cls((entry,), (1,), (0.0,), played=False, encounter=encounter)


def scores(result: Result) -> tuple[float, ...]:
    """The score of every seat: one for each seat it is ranked above, half for each it is level with.

    For two seats that is 1, 1/2, 0, and a bye is worth 1. For more it is divided by nothing: a place at a larger
    table is worth more, as many encounters are. Two entries that both forfeited are level and get nothing for it.
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


def part(result: Result, seats: tuple[int, ...]) -> Result:
    """The result of some seats among themselves: the order of their ranks is kept, the best is first."""
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


def among(results: Iterable[Result], entries: frozenset[int]) -> list[Result]:
    """The results as they are without everybody else; a match of which only one is left does not count."""
    kept = []
    for result in results:
        if entries.issuperset(result.entries):
            kept.append(result)
            continue
        seats = tuple(seat for seat, entry in enumerate(result.entries) if entry in entries)
        if len(seats) > 1:
            kept.append(part(result, seats))
    return kept
