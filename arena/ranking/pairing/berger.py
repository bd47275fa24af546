"""Who meets whom: round robins by the circle method, and tables of everybody.

Invariants: in one cycle of a round robin every two entries meet once and nobody plays twice in a round;
seats are balanced: an even number of entries sits on each side as often as on the other, give or take
one, an odd number exactly, and a double round robin exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round(Generic[T]):
    """The pairings of a round, each in the order of the seats, and who rests."""

    pairings: tuple[tuple[T, T], ...]
    bye: T | None = None


def round_robin(entries: Sequence[T], repeats: int = 1) -> list[Round[T]]:
    """The rounds in which everybody meets everybody once, played ``repeats`` times; every second time
    with the seats swapped.

    The pairings are those of the Berger tables (FIDE Handbook C.05, Annex 1): the last entry stays, the
    others advance by half their number. Where the number is odd, whoever would meet the missing last entry
    has a bye. Raises ValueError where an entry comes twice.
    """
    if len(set(entries)) != len(entries):
        raise ValueError("An entry can be paired only once.")
    if len(entries) < 2:
        return []
    cycle = [berger_round(entries, number) for number in range(len(entries) - 1 + len(entries) % 2)]
    swapped = [Round(tuple((b, a) for a, b in round_.pairings), round_.bye) for round_ in cycle]
    return [round_ for repeat in range(repeats) for round_ in (swapped if repeat % 2 else cycle)]


def double_round_robin(entries: Sequence[T], repeats: int = 1) -> list[Round[T]]:
    """The rounds in which everybody meets everybody twice, once on each seat, played ``repeats`` times."""
    return round_robin(entries, 2 * repeats)


def tables(entries: Sequence[T], repeats: int = 1) -> list[tuple[T, ...]]:
    """One table of all entries, played ``repeats`` times; the seats move on by one each time."""
    if not entries:
        return []
    shifts = [repeat % len(entries) for repeat in range(repeats)]
    return [(*entries[shift:], *entries[:shift]) for shift in shifts]


def berger_round(entries: Sequence[T], number: int) -> Round[T]:
    """Round ``number``, from 0. Places are numbered from 0; the last of an even number of places stays."""
    places = len(entries) + len(entries) % 2
    moving = places - 1
    turn = number * (places // 2)
    first = turn % moving
    pairs = [(places - 1, first) if number % 2 else (first, places - 1)]
    pairs += [((turn + step) % moving, (turn - step) % moving) for step in range(1, places // 2)]
    if len(entries) == places:
        return Round(tuple((entries[a], entries[b]) for a, b in pairs))
    return Round(tuple((entries[a], entries[b]) for a, b in pairs[1:]), entries[first])
