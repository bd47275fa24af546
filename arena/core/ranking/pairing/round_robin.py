"""Round robin: every entry plays every other entry a fixed number of times."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.ranking.pairing.base import Field, Round, Schedule, with_walkovers
from arena.core.ranking.pairing.berger import berger_round, rounds_of


@dataclass(frozen=True, slots=True)
class RoundRobin(Schedule):
    """Every entry meets every other ``repeats`` times, with seats swapped every other time.

    Seats are balanced exactly if ``repeats`` is even; otherwise the counts differ by at most one.
    """

    repeats: int = 1

    def next_round(self, field: Field) -> Round | None:
        number = len(field.rounds)
        if number >= self.rounds(len(field.entries)) or len(field.present) < 2:
            return None
        cycle, turn = divmod(number, rounds_of(len(field.entries)))
        drawn = berger_round(field.entries, turn)
        pairs = [(second, first) if cycle % 2 else (first, second) for first, second in drawn.pairings]
        encounters, walkovers = with_walkovers(pairs, field)
        byes = () if drawn.bye is None or drawn.bye in field.withdrawn else (drawn.bye,)
        return Round(tuple(encounters), byes, tuple(walkovers))

    def rounds(self, entries: int) -> int:
        return self.repeats * rounds_of(entries)

    def total(self, entries: int) -> int:
        return self.repeats * entries * (entries - 1) // 2
