"""Score attack: every entry plays with the same random seeds, without opponents."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.ranking.pairing.base import Encounter, FixedSchedule, Round, TournamentState


@dataclass(frozen=True, slots=True)
class ScoreAttack(FixedSchedule):
    """A score attack over ``number`` rounds, each with its own random seed.

    ``seats``: entries per match; the entries do not affect each other.
    """

    number: int
    seats: int = 1

    def next_round(self, field: TournamentState) -> Round | None:
        present = field.active_entries
        if len(field.rounds) >= self.number or not present:
            return None
        starts = range(0, len(present), self.seats)
        matches = (present[start : start + self.seats] for start in starts)
        return Round(tuple(Encounter(entries, slot=slot) for slot, entries in enumerate(matches)))

    def rounds(self, entries: int) -> int:
        return self.number if entries else 0

    def encounter_count(self, entries: int) -> int:
        return self.rounds(entries) * -(-entries // self.seats)
