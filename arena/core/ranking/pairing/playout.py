"""Play a bracket to its end as if one entry won, or lost, all its remaining encounters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from arena.core.ranking.pairing.base import PlayedEncounter, PlayedRound, Round, TournamentState
from arena.core.ranking.results import Result

MAX_PLAYED_OUT_ENTRIES: Final = 64  # playing out a larger bracket for each of its entries takes too long


def play_out(
    next_round: Callable[[TournamentState], Round | None], field: TournamentState, entry: int, *, wins: bool
) -> TournamentState:
    """Return the state at the end of a bracket in which the entry wins (or loses) all its remaining encounters."""
    played = replace(field, rounds=tuple(_complete_round(round_, field, entry, wins=wins) for round_ in field.rounds))
    while (round_ := next_round(played)) is not None:
        stored = PlayedRound(tuple(_planned_encounters(round_)), round_.byes, round_.stage)
        played = replace(played, rounds=(*played.rounds, _complete_round(stored, field, entry, wins=wins)))
    return played


def _planned_encounters(round_: Round) -> Iterator[PlayedEncounter]:
    for encounter in round_.encounters:
        yield PlayedEncounter(encounter)
    for encounter in round_.walkovers:
        yield PlayedEncounter(encounter, done=True)


def _complete_round(round_: PlayedRound, field: TournamentState, entry: int, *, wins: bool) -> PlayedRound:
    return replace(
        round_,
        encounters=tuple(
            one if one.done else _decide_encounter(one, field, entry, wins=wins) for one in round_.encounters
        ),
    )


def _decide_encounter(played: PlayedEncounter, field: TournamentState, entry: int, *, wins: bool) -> PlayedEncounter:
    """Decide an encounter for (or against) the entry; a withdrawn entry loses."""
    entries = played.encounter.entries
    present = [one for one in entries if one not in field.withdrawn] or list(entries)
    winner = entry if wins and entry in present else next((one for one in present if one != entry), present[0])
    ranks = tuple(1 if one == winner else 2 for one in entries)
    return replace(played, results=(Result(entries, ranks, (0.0,) * len(entries)),), done=True)
