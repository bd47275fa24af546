"""Give one of two opponents the first seat, based on their earlier seats (FIDE Handbook C.04.3, 1.7 and 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

History: TypeAlias = tuple[int, ...]  # 1 for the first seat, -1 for the second, in playing order
Burden: TypeAlias = tuple[int, int, int]


class PreferenceStrength(IntEnum):
    """The strength of an entry's seat preference (FIDE Handbook C.04.3, 1.7)."""

    NONE = 0  # it has not played yet
    MILD = 1  # it has had both seats equally often: it prefers to alternate
    STRONG = 2  # it has had one seat one more time than the other
    ABSOLUTE = 3  # its seat counts differ by two or more, or it had the same seat in the last two matches


@dataclass(frozen=True, slots=True)
class SeatCandidate:
    """An entry to be seated; ``seed`` counts from 0."""

    entry: int
    seed: int
    history: History


def seating_cost(one: SeatCandidate, other: SeatCandidate) -> Burden:
    """Return the cost of the pair's better seating, as numbers in descending priority.

    They are the number of seat differences above two, the number of entries with the same seat three times in a row,
    and the total strength of the preferences that are not met.
    """
    return min(_cost_of_seat(one, other, 1), _cost_of_seat(one, other, -1))


def seat_order(one: SeatCandidate, other: SeatCandidate) -> tuple[int, int]:
    """Return the pair's entries in seat order; ``one`` is ranked above ``other``.

    The seating with the lower cost is used. If the costs are equal, both entries alternate relative to the last round
    in which their seats differed (E.3); if there is none, ``one`` gets its preference (E.4). In the first round, the
    higher seed has the first seat if its seed is even, counted from 0 (E.5).
    """
    first, second = _cost_of_seat(one, other, 1), _cost_of_seat(one, other, -1)
    if first != second:
        seat = 1 if first < second else -1
    else:
        seat = (
            _alternate_seat(one.history, other.history)
            or _seat_preference(one.history)[1]
            or (-1 if one.seed % 2 else 1)
        )
    return (one.entry, other.entry) if seat == 1 else (other.entry, one.entry)


def _cost_of_seat(one: SeatCandidate, other: SeatCandidate, seat: int) -> Burden:
    """Return the cost if ``one`` has this seat."""
    own, opposite = _seat_burden(one.history, seat), _seat_burden(other.history, -seat)
    return own[0] + opposite[0], own[1] + opposite[1], own[2] + opposite[2]


@lru_cache(maxsize=4096)
def _seat_burden(history: History, seat: int) -> Burden:
    strength, wanted = _seat_preference(history)
    return (
        int(abs(sum(history) + seat) > 2),
        int(history[-2:] == (seat, seat)),
        int(strength) if seat == -wanted else 0,
    )


def _seat_preference(history: History) -> tuple[PreferenceStrength, int]:
    """Return the strength of the seat preference, and the preferred seat (0 if there is no preference)."""
    difference = sum(history)
    if abs(difference) > 1:
        return PreferenceStrength.ABSOLUTE, -1 if difference > 0 else 1
    if len(history) > 1 and history[-1] == history[-2]:
        return PreferenceStrength.ABSOLUTE, -history[-1]
    if difference:
        return PreferenceStrength.STRONG, -difference
    return (PreferenceStrength.MILD, -history[-1]) if history else (PreferenceStrength.NONE, 0)


def _alternate_seat(one: History, other: History) -> int:
    """Return the opposite of the seat that ``one`` had when their seats last differed; 0 if they never did."""
    for own, opposite in zip(reversed(one), reversed(other), strict=False):
        if own != opposite:
            return -own
    return 0
