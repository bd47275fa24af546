"""Round robin: every entry plays every other entry a fixed number of times."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.ranking.pairing.base import FixedSchedule, Round, TournamentState, split_walkovers
from arena.core.ranking.pairing.berger import berger_round, berger_rounds


@dataclass(frozen=True, slots=True)
class RoundRobin(FixedSchedule):
    """A round robin: every entry meets each of the others ``repeats`` times; seats are swapped after each meeting.

    Seats are balanced exactly if ``repeats`` is even; otherwise the counts differ by at most one.
    """

    repeats: int = 1

    def next_round(self, field: TournamentState) -> Round | None:
        number = len(field.rounds)
        if number >= self.rounds(len(field.entries)) or len(field.active_entries) < 2:
            return None
        cycle, turn = divmod(number, berger_rounds(len(field.entries)))
        drawn = berger_round(field.entries, turn)
        pairs = [(second, first) if cycle % 2 else (first, second) for first, second in drawn.pairings]
        encounters, walkovers = split_walkovers(pairs, field)
        byes = () if drawn.bye is None or drawn.bye in field.withdrawn else (drawn.bye,)
        return Round(tuple(encounters), byes, tuple(walkovers))

    def rounds(self, entries: int) -> int:
        return self.repeats * berger_rounds(entries)

    def encounter_count(self, entries: int) -> int:
        return self.repeats * entries * (entries - 1) // 2
