"""Gauntlet: a few chosen entries play all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.ranking.pairing.base import FixedSchedule, Round, TournamentState, split_walkovers


@dataclass(frozen=True, slots=True)
class Gauntlet(FixedSchedule):
    """A gauntlet: the first ``gauntlet_bots`` entries meet each of the others ``repeats`` times, but never each other.

    No entry plays twice in a round; the counts of an entry's first and second seats differ by at most one.
    """

    gauntlet_bots: int = 1
    repeats: int = 1

    def next_round(self, field: TournamentState) -> Round | None:
        chosen, others = field.entries[: self.gauntlet_bots], field.entries[self.gauntlet_bots :]
        number = len(field.rounds)
        if number >= self.rounds(len(field.entries)) or not _both_sides_active(chosen, others, field):
            return None
        fewer, more = sorted((chosen, others), key=len)
        pairs: list[tuple[int, int]] = []
        for index, entry in enumerate(fewer):
            opponent = more[(index + number) % len(more)]
            one, other = (entry, opponent) if fewer is chosen else (opponent, entry)
            # Seats shift by one with every repeat; otherwise, if the larger group has an even size, each pair would
            # always meet in the same seats.
            pairs.append((other, one) if (number + number // len(more) * (len(more) % 2 == 0)) % 2 else (one, other))
        encounters, walkovers = split_walkovers(pairs, field)
        met = {entry for encounter in (*encounters, *walkovers) for entry in encounter.entries}
        byes = tuple(entry for entry in field.active_entries if entry not in met)
        return Round(tuple(encounters), byes, tuple(walkovers))

    def rounds(self, entries: int) -> int:
        if self.gauntlet_bots >= entries:
            return 0
        return self.repeats * max(self.gauntlet_bots, entries - self.gauntlet_bots)

    def encounter_count(self, entries: int) -> int:
        return self.repeats * self.gauntlet_bots * max(0, entries - self.gauntlet_bots)


def _both_sides_active(chosen: Sequence[int], others: Sequence[int], field: TournamentState) -> bool:
    return all(any(entry not in field.withdrawn for entry in side) for side in (chosen, others))
