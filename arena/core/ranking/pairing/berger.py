"""The Berger tables (FIDE Handbook C.05, Annex 1): a round robin by the circle method.

Invariants: in one cycle every pair of entries meets once, and no entry plays twice in a round. With an odd number of
entries, each has both seats equally often; with an even number, the counts differ by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BergerRound:
    """The pairings of a round, each in seat order, and the entry with a bye."""

    pairings: tuple[tuple[int, int], ...]
    bye: int | None = None


def berger_rounds(entries: int) -> int:
    """Return the number of rounds in one cycle, in which every pair of entries meets once."""
    return entries - 1 + entries % 2 if entries > 1 else 0


def berger_round(entries: Sequence[int], number: int) -> BergerRound:
    """Return round ``number`` of a cycle, counted from 0, for at least two entries.

    The last entry keeps its position while the others rotate by half their number. With an odd number of entries, the
    last position is empty and its opponent has a bye.
    """
    positions = len(entries) + len(entries) % 2
    moving = positions - 1
    turn = number * (positions // 2)
    first = turn % moving
    pairs = [(positions - 1, first) if number % 2 else (first, positions - 1)]
    pairs += [((turn + step) % moving, (turn - step) % moving) for step in range(1, positions // 2)]
    if len(entries) == positions:
        return BergerRound(tuple((entries[a], entries[b]) for a, b in pairs))
    return BergerRound(tuple((entries[a], entries[b]) for a, b in pairs[1:]), entries[first])
