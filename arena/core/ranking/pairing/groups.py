"""Group stage with round robins, then finals among the best of each group.

Invariants: the groups are drawn from the seeds only. Until the first round of the finals is paired, the finalists are
derived from the groups' results; from then on, they are the entries of that round. Group results do not count in the
finals. Entries that no criterion separates share a rank in their group; the higher seed advances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.core.ranking.pairing.base import (
    Encounter,
    PairingSystem,
    PlayedRound,
    Round,
    TournamentStage,
    TournamentState,
)
from arena.core.ranking.pairing.elimination import Draw
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.pairing.round_robin import RoundRobin
from arena.core.ranking.results import Result
from arena.core.ranking.standings import StandingsRow, standings


class Finals(StrEnum):
    """The format of the finals."""

    ROUND_ROBIN = "round_robin"  # another round robin
    KNOCKOUT = "knockout"  # group winners are seeded first; includes a third-place play-off


@dataclass(frozen=True, slots=True)
class GroupRank:
    """A rank in a group; groups and ranks are numbered from 1."""

    group: int
    rank: int


@dataclass(frozen=True, slots=True)
class Groups:
    """A group stage: round robins in as few groups as possible, each with at most ``size`` entries.

    The best ``advance`` entries of each group reach the finals.
    """

    size: int
    advance: int = 2
    finals: Finals = Finals.KNOCKOUT

    @property
    def bye_wins(self) -> bool:
        return False

    def can_pair_ahead(self, field: TournamentState) -> bool:
        paired = len(_rounds_of_stage(field, TournamentStage.GROUPS))
        if paired < self._group_round_count(len(field.entries)):
            return True
        finals = _rounds_of_stage(field, TournamentStage.FINALS)
        return bool(finals) and self._finals_system.can_pair_ahead(replace(field, rounds=finals))

    def next_round(self, field: TournamentState) -> Round | None:
        number = len(_rounds_of_stage(field, TournamentStage.GROUPS))
        if number < self._group_round_count(len(field.entries)) and len(field.active_entries) > 1:
            return self._pair_group_round(field, number)
        round_ = self._finals_system.next_round(self._final_field(field))
        return round_ and replace(round_, stage=TournamentStage.FINALS)

    def rounds(self, entries: int) -> int:
        return self._group_round_count(entries) + self._finals_system.rounds(self._finalist_count(entries))

    def encounter_count(self, entries: int) -> int:
        groups = sum(len(group) * (len(group) - 1) // 2 for group in draw_groups(range(entries), self.size))
        return groups + self._finals_system.encounter_count(self._finalist_count(entries))

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        """Order finalists by the finals, then all others by their rank in their group.

        Entries with equal ranks in their groups are tied, whether in one group or in several.
        """
        if not _rounds_of_stage(field, TournamentStage.FINALS):
            return list(table)
        finals = self._final_field(field)
        rows = {row.entry: row for row in table}
        final_table = standings(finals.entries, _results_of_rounds(finals.rounds), None, field.tiebreaks)
        ordered = self._finals_system.rank_entries(finals, final_table)
        found = [replace(rows[row.entry], rank=row.rank) for row in ordered if row.entry in rows]
        group_ranks = {row.entry: row.rank for group in self.group_standings(field) for row in group}
        rest = sorted(
            (row for row in table if row.rank is not None and row.entry not in finals.entries),
            key=lambda row: group_ranks.get(row.entry) or len(group_ranks),
        )
        for row in rest:
            level = len(found) > len(finals.entries) and group_ranks.get(found[-1].entry) == group_ranks.get(row.entry)
            found.append(replace(row, rank=found[-1].rank if level else len(found) + 1))
        return [*found, *(row for row in table if row.rank is None and row.entry not in finals.entries)]

    def bracket(self, field: TournamentState) -> tuple[Draw, TournamentState] | None:
        """Return the finals' bracket and state, or None before the first final and for round-robin finals."""
        if self.finals != Finals.KNOCKOUT or not _rounds_of_stage(field, TournamentStage.FINALS):
            return None
        return Knockout().bracket(self._final_field(field))

    def expected_bracket(self, field: TournamentState) -> tuple[Draw, TournamentState, dict[int, GroupRank]] | None:
        """Return the finals' bracket before the first final, with a number in place of each entry that will advance.

        The dictionary maps these numbers to group ranks. Returns None for round-robin finals, and once the finals have
        begun.
        """
        if self.finals != Finals.KNOCKOUT or _rounds_of_stage(field, TournamentStage.FINALS):
            return None
        group_ranks: dict[int, GroupRank] = {}
        groups: list[list[int]] = []
        for number, group in enumerate(draw_groups(field.entries, self.size), start=1):
            staying = sum(entry not in field.withdrawn for entry in group)
            first = len(group_ranks) + 1
            groups.append(list(range(first, first + min(self.advance, staying))))
            group_ranks |= {key: GroupRank(number, rank) for rank, key in enumerate(groups[-1], start=1)}
        seeds = tuple(_finals_seeds(groups))
        return *Knockout().bracket(replace(field, entries=seeds, rounds=(), withdrawn={})), group_ranks

    @property
    def _finals_system(self) -> PairingSystem:
        return Knockout() if self.finals == Finals.KNOCKOUT else RoundRobin()

    def _group_round_count(self, entries: int) -> int:
        return max((RoundRobin().rounds(len(group)) for group in draw_groups(range(entries), self.size)), default=0)

    def _finalist_count(self, entries: int) -> int:
        return sum(min(self.advance, len(group)) for group in draw_groups(range(entries), self.size))

    def _pair_group_round(self, field: TournamentState, number: int) -> Round:
        encounters: list[Encounter] = []
        walkovers: list[Encounter] = []
        byes: list[int] = []
        for group, entries in enumerate(draw_groups(field.entries, self.size), start=1):
            part = RoundRobin().next_round(replace(field, entries=tuple(entries), rounds=(PlayedRound(()),) * number))
            if part is None:
                byes += [entry for entry in entries if entry not in field.withdrawn]
                continue
            encounters += [replace(encounter, group=group) for encounter in part.encounters]
            walkovers += [replace(encounter, group=group) for encounter in part.walkovers]
            byes += part.byes
        return Round(tuple(encounters), tuple(byes), tuple(walkovers), TournamentStage.GROUPS)

    def _final_field(self, field: TournamentState) -> TournamentState:
        """Return the finals as a separate tournament, seeded by rank within the groups."""
        rounds = _rounds_of_stage(field, TournamentStage.FINALS)
        started = {entry for round_ in rounds[:1] for entry in _entries_of_round(round_)}
        advancing = [
            [row.entry for row in group if (row.entry in started if rounds else row.entry not in field.withdrawn)]
            for group in self.group_standings(field)
        ]
        return replace(
            field, entries=tuple(_finals_seeds([group[: self.advance] for group in advancing])), rounds=rounds
        )

    def group_standings(self, field: TournamentState) -> list[list[StandingsRow]]:
        """Return the standings of every group; they determine which entries advance."""
        rounds = _rounds_of_stage(field, TournamentStage.GROUPS)
        results = _results_of_rounds(rounds)
        legs = max((len(played.results) for round_ in rounds for played in round_.encounters), default=1)
        return [
            standings(
                group,
                [result for result in results if set(result.entries) <= set(group)],
                {entry: legs * (len(group) - 1) for entry in group if entry in field.withdrawn},
                field.tiebreaks,
            )
            for group in draw_groups(field.entries, self.size)
        ]


def draw_groups(entries: Sequence[int], size: int) -> list[list[int]]:
    """Draw groups of about equal strength by serpentine (snake) seeding."""
    count = -(-len(entries) // size)
    groups: list[list[int]] = [[] for _ in range(count)]
    for seed, entry in enumerate(entries):
        lap, column = divmod(seed, count)
        groups[count - 1 - column if lap % 2 else column].append(entry)
    return groups


def _finals_seeds(groups: list[list[int]]) -> list[int]:
    """Return the seeds of the finals: group winners, then runners-up, and so on, rotated to avoid early rematches."""
    group_of = {entry: number for number, group in enumerate(groups) for entry in group}
    seeds: list[int] = []
    for index in range(max(map(len, groups), default=0)):
        peers = [group[index] for group in groups if len(group) > index]
        turns = [peers[turn:] + peers[:turn] for turn in range(len(peers))]
        seeds += min(turns, key=lambda turn: _first_round_rematches([*seeds, *turn], group_of))
    return seeds


def _first_round_rematches(seeds: Sequence[int], group_of: dict[int, int]) -> int:
    """Count the pairs in a knockout's first round whose entries both come from the same group."""
    slots = 1 << (len(seeds) - 1).bit_length()
    pairs = [(one, slots - 1 - one) for one in range(len(seeds)) if one < slots - 1 - one < len(seeds)]
    return sum(group_of[seeds[one]] == group_of[seeds[other]] for one, other in pairs)


def _rounds_of_stage(field: TournamentState, stage: TournamentStage) -> tuple[PlayedRound, ...]:
    return tuple(round_ for round_ in field.rounds if round_.stage == stage)


def _entries_of_round(round_: PlayedRound) -> list[int]:
    return [*round_.byes, *(entry for played in round_.encounters for entry in played.encounter.entries)]


def _results_of_rounds(rounds: Iterable[PlayedRound]) -> list[Result]:
    return [result for round_ in rounds for played in round_.encounters for result in played.results]
