"""Play complete tournaments under any pairing system, with results chosen by the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.core.ranking.pairing.base import (
    Encounter,
    PairingSystem,
    PlayedEncounter,
    PlayedRound,
    Round,
    TournamentState,
)
from arena.core.ranking.results import Result

Decide = Callable[[Encounter], tuple[int, ...]]  # the ranks in a match, by seat


def smaller_number_wins(encounter: Encounter) -> tuple[int, ...]:
    """Let the entry with the smaller number win."""
    return tuple(1 + sum(other < entry for other in encounter.entries) for entry in encounter.entries)


def play_round(round_: Round, decide: Decide = smaller_number_wins) -> PlayedRound:
    encounters = [
        PlayedEncounter(
            encounter, (Result(encounter.entries, decide(encounter), (0.0,) * len(encounter.entries)),), True
        )
        for encounter in round_.encounters
    ]
    for encounter in round_.walkovers:
        encounters.append(PlayedEncounter(encounter, (), True))
    return PlayedRound(tuple(encounters), round_.byes, round_.stage)


def play_tournament(
    system: PairingSystem,
    field: TournamentState,
    decide: Decide = smaller_number_wins,
    leaving: Mapping[int, int] | None = None,
) -> tuple[list[Round], TournamentState]:
    """Play all rounds; return them and the final state.

    ``leaving`` maps an entry to the number of rounds after which it withdraws.
    """
    rounds: list[Round] = []
    while True:
        gone = {entry: 0 for entry, after in (leaving or {}).items() if after <= len(rounds)}
        field = TournamentState(field.entries, field.rounds, gone, field.seed, field.tiebreaks)
        round_ = system.next_round(field)
        if round_ is None:
            return rounds, field
        assert not set(gone) & {entry for encounter in round_.encounters for entry in encounter.entries}
        assert round_ == system.next_round(field)
        seated = [entry for one in (*round_.encounters, *round_.walkovers) for entry in one.entries] + [*round_.byes]
        assert len(seated) == len(set(seated)), "nobody twice in a round"
        rounds.append(round_)
        field = TournamentState(
            field.entries, (*field.rounds, play_round(round_, decide)), gone, field.seed, field.tiebreaks
        )
