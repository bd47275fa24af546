"""A tournament as the pairing systems of arena.core.ranking see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.ranking.pairing.base import (
    Bracket,
    Encounter,
    PlayedEncounter,
    PlayedRound,
    TournamentStage,
    TournamentState,
)
from arena.core.ranking.results import Result
from arena.matches.models import MatchStatus
from arena.tournaments.formats.traits import matches_due, tiebreaks_of, traits_of
from arena.tournaments.models import Bye, Entry, EntryStatus, Pairing, PairingSeat, Tournament
from arena.tournaments.standings.results import encounter_id, walkover

_STILL_OUT = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING)


def load_tournament_state(tournament: Tournament, *, with_rounds: bool) -> TournamentState:
    """Return the tournament as a ``TournamentState``.

    ``with_rounds``: whether to load the encounters of the rounds; some systems need only the number of rounds.
    """
    rows = Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed")
    statuses = dict(rows.values_list("pk", "status"))
    left = frozenset(pk for pk, status in statuses.items() if status == EntryStatus.WITHDRAWN)
    if with_rounds:
        return build_tournament_state(tournament, statuses, _rounds(tournament, left))
    return build_tournament_state(tournament, statuses, (PlayedRound(()),) * tournament.rounds.count())


def build_tournament_state(
    tournament: Tournament, statuses: Mapping[int, str], rounds: tuple[PlayedRound, ...]
) -> TournamentState:
    """Build a ``TournamentState`` from given data; ``statuses``: the entries' statuses, best seed first."""
    left = [pk for pk, status in statuses.items() if status == EntryStatus.WITHDRAWN]
    owed = matches_due(tournament, tuple(statuses)) if left else {}
    return TournamentState(
        entries=tuple(statuses),
        rounds=rounds,
        withdrawn={pk: owed.get(pk, 0) for pk in left},
        seed=tournament.seed,
        tiebreaks=tiebreaks_of(tournament.format, tournament.tiebreaks),
    )


@dataclass(slots=True)
class _Seats:
    """A pairing's entries in seat order, with their stored results."""

    entries: list[int] = field(default_factory=list)
    ranks: list[int | None] = field(default_factory=list)
    margins: list[float | None] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)

    def result(self, encounter: int) -> Result:
        return Result(
            tuple(self.entries),
            tuple(rank or 0 for rank in self.ranks),
            tuple(margin or 0.0 for margin in self.margins),
            frozenset(self.forfeits),
            encounter=encounter,
        )


def _rounds(tournament: Tournament, left: frozenset[int]) -> tuple[PlayedRound, ...]:
    pairings: dict[int, dict[int, list[Pairing]]] = defaultdict(lambda: defaultdict(list))
    for pairing in Pairing.objects.filter(tournament=tournament).select_related("match").order_by("pk"):
        is_replaced = traits_of(tournament).resets and pairing.match and pairing.match.status == MatchStatus.CANCELLED
        if not is_replaced:
            pairings[pairing.round_id][pairing.encounter].append(pairing)
    byes: dict[int, list[int]] = defaultdict(list)
    for round_id, entry_id in Bye.objects.filter(round__tournament=tournament).values_list("round_id", "entry_id"):
        byes[round_id].append(entry_id)
    seats = _seats(tournament)
    waits_for_void = traits_of(tournament).advances
    return tuple(
        PlayedRound(
            tuple(_read_encounter(legs, seats, left, waits_for_void) for legs in pairings[pk].values()),
            tuple(byes[pk]),
            TournamentStage(stage),
        )
        for pk, stage in tournament.rounds.order_by("number").values_list("pk", "stage")
    )


def _seats(tournament: Tournament) -> dict[int, _Seats]:
    found: dict[int, _Seats] = defaultdict(_Seats)
    rows = PairingSeat.objects.filter(pairing__tournament=tournament).order_by("pairing_id", "index")
    for pairing, entry, rank, margin, forfeit in rows.values_list(
        "pairing_id", "entry_id", "rank", "margin", "forfeit"
    ):
        seats = found[pairing]
        seats.entries.append(entry)
        seats.ranks.append(rank)
        seats.margins.append(margin)
        if forfeit:
            seats.forfeits.append(entry)
    return found


def _read_encounter(
    legs: Sequence[Pairing], seats: dict[int, _Seats], left: frozenset[int], waits_for_void: bool
) -> PlayedEncounter:
    first = legs[0]
    encounter = Encounter(tuple(seats[first.pk].entries), Bracket(first.bracket), first.slot, first.group)
    number = encounter_id(first.round_id, first.encounter)
    found = [(pairing.match.status if pairing.match else None, seats[pairing.pk].result(number)) for pairing in legs]
    return played_encounter(encounter, found, left, waits_for_void)


def played_encounter(
    encounter: Encounter, legs: Iterable[tuple[str | None, Result]], left: frozenset[int], waits_for_void: bool
) -> PlayedEncounter:
    """Build an encounter from each match's status (None for a walkover) and result.

    ``left``: withdrawn entries; ``waits_for_void``: whether the encounter stays unfinished while a match is void.
    """
    results: list[Result] = []
    is_done = True
    for status, result in legs:
        unplayed = walkover(result.entries, left, result.encounter or 0)
        if status == MatchStatus.FINISHED:
            results.append(result)
        elif unplayed is not None:
            results.append(unplayed)
        elif status in _STILL_OUT or (status == MatchStatus.VOID and waits_for_void):
            is_done = False
    return PlayedEncounter(encounter, tuple(results), is_done)
