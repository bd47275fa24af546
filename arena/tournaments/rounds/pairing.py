"""Pair a tournament's next round. The pairing is computed outside any transaction and stored in a short one.

Invariants: a round is created once, by the process that finds the tournament unchanged since the computation. Pairing
systems are pure functions, so every process computes the same pairing. Rounds whose pairing does not depend on results
are created shortly before workers need them; all others are created once all earlier matches have ended.
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


def pair_next(tournament_id: int, *, now: datetime) -> bool:
    """Create the next round, or record that no round follows.

    Return False if the round cannot be paired yet, or if another process has created it.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.status != TournamentStatus.RUNNING or tournament.paired_at is not None:
        return False
    field = load_tournament_state(tournament, with_rounds=traits_of(tournament).needs_history)
    system = system_of(tournament, len(field.entries))
    if not (system.can_pair_ahead(field) or field.is_round_finished):
        return False
    round_ = system.next_round(field)
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament_id)
        if (
            locked.status != TournamentStatus.RUNNING
            or locked.paired_at is not None
            or not _is_unchanged(locked, field)
        ):
            return False
        # Walkovers and byes may count, and the last round determines the total number of matches.
        is_counted = round_ is None or bool(round_.byes or round_.walkovers)
        version = lifecycle.raise_version(tournament_id, changes_standing=is_counted)
        if round_ is None:
            Tournament.objects.filter(pk=tournament_id).update(paired_at=now)
        else:
            _create_round(locked, len(field.rounds) + 1, round_, now)
        redraw = traits_of(tournament).drawn_by_round
        publish_event(
            tournament_id, version, {"type": "round", "redraw": redraw, "progress": progress_json(tournament_id)}
        )
    return True


def _is_unchanged(tournament: Tournament, field: TournamentState) -> bool:
    """Return whether everything on which the round depends is unchanged."""
    if tournament.rounds.count() != len(field.rounds):
        return False
    left = Entry.objects.filter(tournament=tournament, seed__isnull=False, status=EntryStatus.WITHDRAWN)
    return set(left.values_list("pk", flat=True)) == set(field.withdrawn)


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
