"""Gauntlet: a few chosen entries play all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.ranking.pairing.base import FixedSchedule, Round, TournamentState, split_walkovers


@dataclass(frozen=True, slots=True)
class Gauntlet(FixedSchedule):
    """The first ``heroes`` entries meet each of the others ``repeats`` times, but never each other.

    No entry plays twice in a round; the counts of an entry's first and second seats differ by at most one.
    """

    heroes: int = 1
    repeats: int = 1

    def next_round(self, field: TournamentState) -> Round | None:
        heroes, others = field.entries[: self.heroes], field.entries[self.heroes :]
        number = len(field.rounds)
        if number >= self.rounds(len(field.entries)) or not _both_sides_active(heroes, others, field):
            return None
        fewer, more = sorted((heroes, others), key=len)
        pairs: list[tuple[int, int]] = []
        for place, entry in enumerate(fewer):
            opponent = more[(place + number) % len(more)]
            hero, other = (entry, opponent) if fewer is heroes else (opponent, entry)
            # Seats shift by one with every repeat; otherwise, if the larger group has an even size, each pair would
            # always meet in the same seats.
            pairs.append((other, hero) if (number + number // len(more) * (len(more) % 2 == 0)) % 2 else (hero, other))
        encounters, walkovers = split_walkovers(pairs, field)
        met = {entry for encounter in (*encounters, *walkovers) for entry in encounter.entries}
        byes = tuple(entry for entry in field.active_entries if entry not in met)
        return Round(tuple(encounters), byes, tuple(walkovers))

    def rounds(self, entries: int) -> int:
        if self.heroes >= entries:
            return 0
        return self.repeats * max(self.heroes, entries - self.heroes)

    def encounter_count(self, entries: int) -> int:
        return self.repeats * self.heroes * max(0, entries - self.heroes)


def _both_sides_active(heroes: Sequence[int], others: Sequence[int], field: TournamentState) -> bool:
    return all(any(entry not in field.withdrawn for entry in side) for side in (heroes, others))
