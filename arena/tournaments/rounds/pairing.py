"""Pair a tournament's next round. The pairing is computed outside any transaction and stored in a short one.

Invariants: a round is created once, by the process that finds everything on which its pairing depends unchanged since
the computation. Pairing systems are pure functions, so every process computes the same pairing. Rounds whose pairing
does not depend on results are created shortly before workers need them; all others are created once all earlier matches
have ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from arena.core.ranking.pairing.base import Encounter, Round, TournamentState
from arena.matches.models import Purpose
from arena.matches.services import MatchRequest, create_matches
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import publish_event
from arena.tournaments.events.snapshots import progress_json
from arena.tournaments.formats.traits import system_of, traits_of
from arena.tournaments.models import (
    Bye,
    Entry,
    EntryStatus,
    Pairing,
    PairingSeat,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from arena.tournaments.rounds.draws import has_secret_seeds, start_of
from arena.tournaments.standings.history import load_tournament_state


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to create: its encounter, leg and slot, and the entries in seat order."""

    encounter: int
    leg: int
    entries: tuple[Entry, ...]
    bracket: str = ""
    slot: int = 0
    group: int = 0


@dataclass(frozen=True, slots=True)
class ComputedRound:
    """The next round of a tournament, and the state from which it was computed.

    ``round``: None if no round follows. ``results``: the value of ``Tournament.results`` from which the round was
    computed; None if its pairing does not depend on results.
    """

    tournament_id: int
    state: TournamentState
    results: int | None
    round: Round | None


def pair_next(tournament_id: int, *, now: datetime) -> bool:
    """Create the next round, or record that no round follows.

    Return False if the round cannot be paired yet, or if another process has created it.
    """
    computed = compute_next_round(tournament_id)
    return computed is not None and store_round(computed, now=now)


def compute_next_round(tournament_id: int) -> ComputedRound | None:
    """Compute the next round; return None if it cannot be paired yet."""
    tournament = Tournament.objects.get(pk=tournament_id)  # the counter must be read before the results that it counts
    if tournament.status != TournamentStatus.RUNNING or tournament.paired_at is not None:
        return None
    state = load_tournament_state(tournament, with_rounds=traits_of(tournament).needs_history)
    system = system_of(tournament, len(state.entries))
    pairs_ahead = system.can_pair_ahead(state)
    if not (pairs_ahead or state.is_round_finished):
        return None
    results = None if pairs_ahead else tournament.results
    return ComputedRound(tournament_id, state, results, system.next_round(state))


def store_round(computed: ComputedRound, *, now: datetime) -> bool:
    """Create a computed round, or record that no round follows; return False if the tournament has changed."""
    tournament_id, round_ = computed.tournament_id, computed.round
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament_id)
        if (
            locked.status != TournamentStatus.RUNNING
            or locked.paired_at is not None
            or not _is_unchanged(locked, computed)
        ):
            return False
        # Walkovers and byes may count, and the last round determines the total number of matches.
        is_counted = round_ is None or bool(round_.byes or round_.walkovers)
        version = lifecycle.raise_version(tournament_id, changes_standing=is_counted)
        if round_ is None:
            Tournament.objects.filter(pk=tournament_id).update(paired_at=now)
        else:
            _create_round(locked, len(computed.state.rounds) + 1, round_, now)
        redraw = traits_of(locked).drawn_by_round
        publish_event(
            tournament_id, version, {"type": "round", "redraw": redraw, "progress": progress_json(tournament_id)}
        )
    return True


def _is_unchanged(tournament: Tournament, computed: ComputedRound) -> bool:
    """Return whether everything on which the round depends is unchanged: rounds, withdrawals and results."""
    if tournament.rounds.count() != len(computed.state.rounds):
        return False
    if computed.results is not None and tournament.results != computed.results:
        return False
    left = Entry.objects.filter(tournament=tournament, seed__isnull=False, status=EntryStatus.WITHDRAWN)
    return set(left.values_list("pk", flat=True)) == set(computed.state.withdrawn)


def _create_round(tournament: Tournament, number: int, round_: Round, now: datetime) -> None:
    row = TournamentRound.objects.create(tournament=tournament, number=number, stage=round_.stage)
    entries = Entry.objects.in_bulk([entry for each in _encounters_and_walkovers(round_) for entry in each.entries])
    Bye.objects.bulk_create(Bye(round=row, entry_id=entry) for entry in round_.byes)
    played = [
        table
        for number, encounter in enumerate(round_.encounters, start=1)
        for table in _planned_legs(tournament, number, encounter, entries)
    ]
    create_planned_matches(tournament, row, played)
    first = len(round_.encounters) + 1
    unplayed = [
        table
        for number, encounter in enumerate(round_.walkovers, start=first)
        for table in _planned_legs(tournament, number, encounter, entries)
    ]
    _store_pairings(tournament, row, unplayed, [None] * len(unplayed), ended_at=now)


def _encounters_and_walkovers(round_: Round) -> tuple[Encounter, ...]:
    return (*round_.encounters, *round_.walkovers)


def _planned_legs(
    tournament: Tournament, number: int, encounter: Encounter, entries: Mapping[int, Entry]
) -> list[PlannedMatch]:
    """Return the matches of encounter number ``number``; from match to match, the seats rotate by one."""
    seats = [entries[pk] for pk in encounter.entries]
    legs = []
    for leg in range(1, tournament.matches_per_encounter + 1):
        shift = (leg - 1) % len(seats)
        order = tuple(seats[shift:] + seats[:shift])
        legs.append(PlannedMatch(number, leg, order, encounter.bracket, encounter.slot, encounter.group))
    return legs


def create_planned_matches(tournament: Tournament, round_: TournamentRound, tables: Sequence[PlannedMatch]) -> None:
    """Create the matches and pairings of a round; they wait for ``release``."""
    is_secret = has_secret_seeds(tournament)
    keys = [(table.encounter if is_secret else 0, table.leg) for table in tables]  # 0: shared by all encounters
    starts = {key: start_of(tournament, round_.number, *key) for key in sorted(set(keys))}
    match_ids = create_matches(
        [
            MatchRequest(
                game=tournament.game,
                settings=dict(starts[key].settings),
                limits=tournament.limits,
                seed=starts[key].seed,
                purpose=Purpose.TOURNAMENT,
                submissions=tuple(entry.submission_id or 0 for entry in table.entries),
                requested_by=tournament.organizer_id,
                withheld=tournament.withheld,
                audience=tournament.audience_id,
            )
            for table, key in zip(tables, keys, strict=True)
        ],
        planned=True,
    )
    _store_pairings(tournament, round_, tables, match_ids)


def _store_pairings(
    tournament: Tournament,
    round_: TournamentRound,
    tables: Sequence[PlannedMatch],
    match_ids: Sequence[int | None],
    ended_at: datetime | None = None,
) -> None:
    pairings = Pairing.objects.bulk_create(
        Pairing(
            tournament=tournament,
            round=round_,
            match_id=match_id,
            encounter=table.encounter,
            leg=table.leg,
            bracket=table.bracket,
            slot=table.slot,
            group=table.group,
            ended_at=ended_at,
        )
        for table, match_id in zip(tables, match_ids, strict=True)
    )
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, entry=entry, index=index)
        for pairing, table in zip(pairings, tables, strict=True)
        for index, entry in enumerate(table.entries)
    )
