"""Single- and double-elimination brackets, replayed from the stored rounds.

Invariants: a bracket is a generator that yields the encounters of a round and receives their results; it never reads
stored results. A stored encounter is identified by its bracket and slot, and keeps the entries with which it was
paired, whatever happens afterwards. Every active entry is in every round, so no round is empty.

Tied and void encounters are decided by margin, then by the higher seed. A withdrawn entry loses its remaining
encounters; of two withdrawn entries, the higher seed advances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from arena.core.ranking.pairing.base import Bracket, Encounter, PlayedEncounter, Round, TournamentState
from arena.core.ranking.pairing.playout import MAX_PLAYED_OUT_ENTRIES, play_out
from arena.core.ranking.standings import StandingsRow

EntryOrBye: TypeAlias = int | None  # what a slot of the bracket contains: an entry, or None for a bye


@dataclass(frozen=True, slots=True)
class BracketEncounter:
    """The two sides of an encounter. In ``Bracket.NONE``, nothing is played: ``first`` waits for the next round."""

    first: EntryOrBye
    second: EntryOrBye
    bracket: Bracket = Bracket.NONE
    slot: int = 0


@dataclass(frozen=True, slots=True)
class EncounterResult:
    """The result of an encounter; a bye has no loser."""

    winner: EntryOrBye
    loser: EntryOrBye
    bracket: Bracket


BracketPlay: TypeAlias = Generator[list[BracketEncounter], list[EncounterResult], None]
Draw: TypeAlias = Callable[[Sequence[int]], BracketPlay]


def seeded_slots(entries: Sequence[int]) -> list[EntryOrBye]:
    """Return the slots of a bracket from top to bottom; their number is a power of two.

    The top two seeds cannot meet before the final, nor the top four before the semifinals, and so on; the top seeds get
    the byes.
    """
    order = [0]
    while len(order) < len(entries):
        order = [seed for upper in order for seed in (upper, 2 * len(order) - 1 - upper)]
    return [entries[seed] if seed < len(entries) else None for seed in order]


def pair_adjacent(slots: Sequence[EntryOrBye], bracket: Bracket) -> list[BracketEncounter]:
    """Pair the first slot with the second, the third with the fourth, and so on."""
    return [
        BracketEncounter(first, second, bracket, slot)
        for slot, (first, second) in enumerate(zip(slots[::2], slots[1::2], strict=True))
    ]


def waiting_encounters(slots: Iterable[EntryOrBye]) -> list[BracketEncounter]:
    return [BracketEncounter(entry, None) for entry in slots if entry is not None]


def winners(ended: Iterable[EncounterResult], bracket: Bracket) -> list[EntryOrBye]:
    return [one.winner for one in ended if one.bracket == bracket]


def losers(ended: Iterable[EncounterResult], bracket: Bracket) -> list[EntryOrBye]:
    return [one.loser for one in ended if one.bracket == bracket]


def next_bracket_round(draw: Draw, field: TournamentState) -> Round | None:
    """Return the round that follows the stored ones, or None if the bracket is finished."""
    play = draw(field.entries)
    meetings = next(play, None)
    for number in range(len(field.rounds)):
        if meetings is None:
            return None
        meetings = next_encounters(play, _encounter_results(meetings, number, field))
    return None if meetings is None else _create_round(meetings, field)


def final_order(
    draw: Draw, losses_to_eliminate: int, field: TournamentState, table: Sequence[StandingsRow]
) -> list[StandingsRow]:
    """Order the entries by the round they reached; entries that lost in the same round of a bracket share a rank.

    After a withdrawal, each entry has the best place that it can still reach: a withdrawn entry keeps its slot in the
    bracket, so it may outlast others before it meets an opponent. ``losses_to_eliminate``: how many losses eliminate an
    entry.
    """
    if not field.withdrawn or len(field.entries) > MAX_PLAYED_OUT_ENTRIES or _is_over(draw, field):
        return _order_by_rounds(draw, losses_to_eliminate, field, table)
    reachable = [
        replace(row, rank=_best_rank(draw, losses_to_eliminate, field, table, row.entry))
        for row in table
        if row.rank is not None
    ]
    return [*sorted(reachable, key=lambda row: row.rank or 0), *(row for row in table if row.rank is None)]


def _is_over(draw: Draw, field: TournamentState) -> bool:
    is_done = all(played.done for round_ in field.rounds for played in round_.encounters)
    return is_done and next_bracket_round(draw, field) is None


def _best_rank(
    draw: Draw, losses_to_eliminate: int, field: TournamentState, table: Sequence[StandingsRow], entry: int
) -> int | None:
    over = play_out(partial(next_bracket_round, draw), field, entry, wins=True)
    return next(row.rank for row in _order_by_rounds(draw, losses_to_eliminate, over, table) if row.entry == entry)


def _order_by_rounds(
    draw: Draw, losses_to_eliminate: int, field: TournamentState, table: Sequence[StandingsRow]
) -> list[StandingsRow]:
    """Order the entries by the round they have reached so far.

    Entries that can still win are tied for first. In a round that is being played, the decided encounters count, and
    their losers already have the rank that they will share with the losers of the undecided ones.
    """
    reached = dict.fromkeys(field.entries, (0, 0))
    lost = dict.fromkeys(field.entries, 0)
    pending: list[tuple[int, int, BracketEncounter]] = []
    play = draw(field.entries)
    meetings = next(play, None)
    for number, round_ in enumerate(field.rounds):
        if meetings is None:
            break
        ended = _encounter_results(meetings, number, field)
        undecided = {_identity(played.encounter) for played in round_.encounters if not played.done}
        for meeting, one in zip(meetings, ended, strict=True):
            if _identity(meeting) in undecided:
                pending.append((number + 1, _RANK_OF_BRACKET[meeting.bracket] - 1, meeting))
            elif one.winner is not None and one.loser is not None:
                reached[one.winner] = (number + 1, _RANK_OF_BRACKET[one.bracket])
                reached[one.loser] = (number + 1, _RANK_OF_BRACKET[one.bracket] - 1)
                lost[one.loser] += 1
        meetings = next_encounters(play, ended)
    out = len(field.rounds) + 1
    still_in = {entry for entry in field.entries if lost[entry] < losses_to_eliminate and entry not in field.withdrawn}
    keys = {entry: (out, 0) if entry in still_in else reached[entry] for entry in field.entries}
    at_risk = {entry for entry in still_in if lost[entry] == losses_to_eliminate - 1}
    eliminates = Counter((number, rank) for number, rank, one in pending if {one.first, one.second} <= at_risk)
    return _rank_by_keys(table, keys, eliminates)


# Ranks entries whose last encounter was in the same round: the losing finalist, then third and fourth place.
_RANK_OF_BRACKET = {
    Bracket.NONE: 1,
    Bracket.WINNERS: 1,
    Bracket.LOSERS: 1,
    Bracket.THIRD_PLACE: 3,
    Bracket.FINAL: 5,
}


def _rank_by_keys(
    table: Sequence[StandingsRow], keys: Mapping[int, tuple[int, int]], pending: Counter[tuple[int, int]]
) -> list[StandingsRow]:
    """Rank the rows by ``keys``, highest first.

    ``pending``: for each key, the number of entries that will end with it but have a higher key now.
    """
    counted = sorted((row for row in table if row.rank is not None), key=lambda row: keys[row.entry], reverse=True)
    found: list[StandingsRow] = []
    for place, row in enumerate(counted):
        level = place and keys[row.entry] == keys[counted[place - 1].entry]
        found.append(replace(row, rank=found[-1].rank if level else place + 1 - pending[keys[row.entry]]))
    return [*found, *(row for row in table if row.rank is None)]


def next_encounters(play: BracketPlay, ended: list[EncounterResult]) -> list[BracketEncounter] | None:
    """Report the results of the current encounters; return the next ones, or None after the last."""
    try:
        return play.send(ended)
    except StopIteration:
        return None


def _create_round(meetings: Iterable[BracketEncounter], field: TournamentState) -> Round | None:
    encounters, walkovers, byes = [], [], []
    for meeting in meetings:
        entries = tuple(entry for entry in (meeting.first, meeting.second) if entry is not None)
        present = [entry for entry in entries if entry not in field.withdrawn]
        if len(entries) == 1:
            byes += present
        elif len(present) == 2:
            encounters.append(Encounter(entries, meeting.bracket, meeting.slot))
        elif present:
            walkovers.append(Encounter(entries, meeting.bracket, meeting.slot))
    if not encounters and not walkovers and len(byes) < 2:
        return None
    return Round(tuple(encounters), tuple(byes), tuple(walkovers))


def _encounter_results(
    meetings: Iterable[BracketEncounter], number: int, field: TournamentState
) -> list[EncounterResult]:
    stored = {_identity(played.encounter): played for played in field.rounds[number].encounters}
    return [encounter_result(meeting, stored.get(_identity(meeting)), field) for meeting in meetings]


def _identity(encounter: Encounter | BracketEncounter) -> tuple[Bracket, int]:
    return encounter.bracket, encounter.slot


def encounter_result(
    meeting: BracketEncounter, played: PlayedEncounter | None, field: TournamentState
) -> EncounterResult:
    """Return the result of an encounter in a stored round.

    ``played``: None for an encounter that was not stored, because it was a bye or both sides withdrew.
    """
    if played is not None:
        winner, loser = _winner_and_loser(played, field)
        return EncounterResult(winner, loser, meeting.bracket)
    seeds = {entry: seed for seed, entry in enumerate(field.entries)}
    entries = [entry for entry in (meeting.first, meeting.second) if entry is not None]
    entries.sort(key=lambda entry: (entry in field.withdrawn, seeds.get(entry, 0)))
    return EncounterResult(
        winner=entries[0] if entries else None, loser=entries[1] if len(entries) > 1 else None, bracket=meeting.bracket
    )


def _winner_and_loser(played: PlayedEncounter, field: TournamentState) -> tuple[int, int]:
    """Return the winner and the loser, decided by points, margin, withdrawal and then seed."""
    seeds = {entry: seed for seed, entry in enumerate(field.entries)}
    figures = zip(played.encounter.entries, played.points, played.margins, strict=True)
    ordered = sorted(figures, key=lambda one: (-one[1], -one[2], one[0] in field.withdrawn, seeds[one[0]]))
    return ordered[0][0], ordered[1][0]
