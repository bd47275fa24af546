"""Seat entries at tables of three or more: all play in every round and meet all others about equally often.

Invariants: table sizes in a round differ by at most one; entries that have met least often are seated together first;
seats at a table depend on how often each entry has had them before. Larger tables, which offer more points, go to the
entries with the fewest opponents so far: without withdrawals, opponent counts differ by at most one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from arena.core.ranking.pairing.base import Encounter, FixedSchedule, Round, TournamentState

MAX_PASSES: Final = 20  # maximum number of passes over all entries; a few suffice
MAX_PARTNERS: Final = 200  # maximum swaps examined per entry and pass, which takes a fraction of a second per round
DRAW_BUDGET: Final = 300  # number of random draws for a round, times the number of entries
_OPPONENT: Final = 10_000  # weight of uneven opponent counts, which exceeds that of all meetings


@dataclass(frozen=True, slots=True)
class MultiplayerTables(FixedSchedule):
    """A schedule of ``number`` rounds at as few tables as possible, with at most ``seats`` entries each.

    ``seats``: at least three.
    """

    seats: int
    number: int

    def __post_init__(self) -> None:
        if self.seats < 3:
            raise ValueError("A table needs at least three seats. For two seats, use a round robin.")

    def next_round(self, field: TournamentState) -> Round | None:
        number = len(field.rounds)
        present = field.active_entries
        if number >= self.number or len(present) < 2:
            return None
        sizes = self._table_sizes(len(present))
        met, sat = _count_meetings_and_seats(field)
        tables = _draw_tables(present, sizes, met, field.rng(f"tables {number}"))
        return Round(tuple(Encounter(_assign_seats(table, sat), slot=slot) for slot, table in enumerate(tables)))

    def rounds(self, entries: int) -> int:
        return self.number if entries > 1 else 0

    def encounter_count(self, entries: int) -> int:
        return self.rounds(entries) * len(self._table_sizes(entries)) if entries > 1 else 0

    def _table_sizes(self, entries: int) -> list[int]:
        count = -(-entries // self.seats)
        small, larger = divmod(entries, count)
        return [small + (slot < larger) for slot in range(count)]


def _count_meetings_and_seats(field: TournamentState) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Return how often each pair of entries has met, and how often each entry has had each seat.

    Pairs are stored in both orders.
    """
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for round_ in field.rounds:
        for played in round_.encounters:
            met.update(permutations(played.encounter.entries, 2))
            sat.update((entry, seat) for seat, entry in enumerate(played.encounter.entries))
    return met, sat


def _draw_tables(
    entries: Sequence[int], sizes: Sequence[int], met: Counter[tuple[int, int]], rng: random.Random
) -> list[list[int]]:
    """Draw the tables, largest first, and keep apart entries that have met before, especially those that met often."""
    if len(sizes) == 1:
        return [list(entries)]
    opponents: Counter[int] = Counter()
    for (entry, _), times in met.items():
        opponents[entry] += times
    orders = [rng.sample(entries, len(entries)) for _ in range(max(1, DRAW_BUDGET // len(entries)))]
    return min(
        (_improve_seating(order, sizes, met, opponents, rng) for order in orders), key=lambda seating: seating.cost
    ).tables


def _improve_seating(
    order: Sequence[int],
    sizes: Sequence[int],
    met: Counter[tuple[int, int]],
    opponents: Counter[int],
    rng: random.Random,
) -> _Seating:
    """Improve the seating by swapping entries, until a pass over all entries swaps none."""
    waiting = iter(sorted(order, key=lambda entry: opponents[entry]))
    seating = _Seating([[next(waiting) for _ in range(size)] for size in sizes], met, opponents)
    for _ in range(MAX_PASSES):
        exchanged = [seating.swap_best(entry, rng.sample(order, min(MAX_PARTNERS, len(order)))) for entry in order]
        if not any(exchanged):
            break
    return seating


class _Seating:
    """An assignment of entries to tables, and its cost.

    Up to constant terms, the cost is the sum of the squared meeting counts plus a weighted sum of the squared opponent
    counts.
    """

    def __init__(self, tables: Sequence[Sequence[int]], met: Counter[tuple[int, int]], opponents: Counter[int]) -> None:
        self._count, self._met = len(tables), met
        self._at = {entry: index for index, table in enumerate(tables) for entry in table}
        self._costs = {
            entry: [
                sum(met[entry, other] for other in table) + _OPPONENT * opponents[entry] * (len(table) - 1)
                for table in tables
            ]
            for entry in self._at
        }

    def swap_best(self, entry: int, partners: Sequence[int]) -> bool:
        """Swap the entry with the partner that lowers the cost most; return False if none does."""
        partner = min(partners, key=lambda other: self._cost_change(entry, other))
        if self._cost_change(entry, partner) >= 0:
            return False
        self._move_entry(entry, to := self._at[partner])
        self._move_entry(partner, self._at[entry])
        self._at[entry], self._at[partner] = to, self._at[entry]
        return True

    @property
    def cost(self) -> int:
        return sum(costs[self._at[entry]] for entry, costs in self._costs.items())

    @property
    def tables(self) -> list[list[int]]:
        tables: list[list[int]] = [[] for _ in range(self._count)]
        for entry, index in self._at.items():
            tables[index].append(entry)
        return tables

    def _cost_change(self, one: int, other: int) -> int:
        """Return the change in cost if the two entries swap tables."""
        here, there = self._at[one], self._at[other]
        if here == there:
            return 0
        of_one, of_other = self._costs[one], self._costs[other]
        return of_one[there] - of_one[here] + of_other[here] - of_other[there] - 2 * self._met[one, other]

    def _move_entry(self, entry: int, to: int) -> None:
        """Update all costs as if the entry moved to table ``to``."""
        here = self._at[entry]
        for other, costs in self._costs.items():
            times = self._met[other, entry]
            costs[here] -= times
            costs[to] += times


def _assign_seats(table: Sequence[int], sat: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """Assign the seats at a table: each seat goes to the entry that has had it least often."""
    left = list(table)
    seats: list[int] = []
    for seat in range(len(table)):
        later = range(seat + 1, len(table))
        # Ties go to the entry that has had the later seats most often.
        chosen = min(left, key=lambda entry: (sat[entry, seat], -sum(sat[entry, other] for other in later)))
        left.remove(chosen)
        seats.append(chosen)
    return tuple(seats)
