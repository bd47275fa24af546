"""Tables of many seats: everybody plays in every round, against about everybody equally often.

Invariants: the tables of a round differ in size by one at most; whoever has met somebody less often is
seated with them first; who sits where follows how often they sat there before.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from arena.ranking.pairing.base import Encounter, Field, Round
from arena.ranking.standings import Row

_EXCHANGES: Final = 20_000  # tried to even out the meetings of a round: a fraction of a second


@dataclass(frozen=True, slots=True)
class Tables:
    """``number`` rounds at as few tables as hold everybody with at most ``seats`` at each, which are three or more."""

    seats: int
    number: int

    def __post_init__(self) -> None:
        if self.seats < 3:
            raise ValueError("Tables have three seats or more; for two there is the round robin.")

    @property
    def bye_wins(self) -> bool:
        return False

    def ahead(self, field: Field) -> bool:
        return True

    def next_round(self, field: Field) -> Round | None:
        number = len(field.rounds)
        present = field.present
        if number >= self.number or len(present) < 2:
            return None
        sizes = self._sizes(len(present))
        met, sat = _history(field)
        tables = _drawn(present, sizes, met, field.rng(f"tables {number}"))
        return Round(tuple(Encounter(_seated(table, sat), slot=slot) for slot, table in enumerate(tables)))

    def rounds(self, entries: int) -> int:
        return self.number if entries > 1 else 0

    def total(self, entries: int) -> int:
        return self.rounds(entries) * len(self._sizes(entries)) if entries > 1 else 0

    def order(self, field: Field, table: Sequence[Row]) -> list[Row]:
        return list(table)

    def _sizes(self, entries: int) -> list[int]:
        count = -(-entries // self.seats)
        small, larger = divmod(entries, count)
        return [small + (slot < larger) for slot in range(count)]


def _history(field: Field) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """How often two entries (the smaller first) have met, and how often an entry has had a seat."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for round_ in field.rounds:
        for played in round_.encounters:
            met.update(combinations(sorted(played.encounter.entries), 2))
            sat.update((entry, seat) for seat, entry in enumerate(played.encounter.entries))
    return met, sat


def _drawn(
    entries: Sequence[int], sizes: Sequence[int], met: Counter[tuple[int, int]], rng: random.Random
) -> list[list[int]]:
    """Tables on which as few as possible have met, and those as seldom as possible."""
    if len(sizes) == 1:
        return [list(entries)]
    waiting = list(entries)
    rng.shuffle(waiting)
    tables: list[list[int]] = []
    for size in sizes:
        table = [waiting.pop()]
        while len(table) < size:
            least = min(range(len(waiting)), key=lambda place: _cost(waiting[place], table, met))
            table.append(waiting.pop(least))
        tables.append(table)
    _even_out(tables, met, rng)
    return tables


def _even_out(tables: list[list[int]], met: Counter[tuple[int, int]], rng: random.Random) -> None:
    """Exchange two entries of two tables wherever that lowers the cost."""
    for _ in range(min(_EXCHANGES, 40 * sum(map(len, tables)))):
        one, other = rng.sample(tables, 2)
        i, j = rng.randrange(len(one)), rng.randrange(len(other))
        rest, other_rest = one[:i] + one[i + 1 :], other[:j] + other[j + 1 :]
        stay = _cost(one[i], rest, met) + _cost(other[j], other_rest, met)
        if stay and _cost(one[i], other_rest, met) + _cost(other[j], rest, met) < stay:
            one[i], other[j] = other[j], one[i]


def _cost(entry: int, table: Sequence[int], met: Counter[tuple[int, int]]) -> int:
    """What it adds to the sum of squares of all meetings if the entry joins the table, without its least part."""
    return sum(met[(entry, other) if entry < other else (other, entry)] for other in table)


def _seated(table: Sequence[int], sat: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """The table in the order of its seats: each goes to who had it most seldom, for one's matches so far."""
    left = list(table)
    seats: list[int] = []
    for seat in range(len(table)):
        later = range(seat + 1, len(table))
        # Of those who had it equally often, whoever had the seats after it most often.
        chosen = min(left, key=lambda entry: (sat[entry, seat], -sum(sat[entry, other] for other in later)))
        left.remove(chosen)
        seats.append(chosen)
    return tuple(seats)
