"""Effects of a withdrawal on unplayed matches.

A two-player match is cancelled and counts as a walkover; see arena.core.ranking.standings. A waiting match at a larger
table is replaced by a match without the withdrawn entry; a running one continues unless all its entries have withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from arena.matches.models import MatchStatus
from arena.matches.services import cancel, undo_release
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import Entry, EntryStatus, Pairing, PairingSeat, Tournament
from arena.tournaments.rounds.pairing import PlannedMatch, create_planned_matches

_TO_PLAY: Final = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING)


def open_pairings(tournament: Tournament, *statuses: MatchStatus) -> QuerySet[Pairing]:
    """Return pairings whose match has one of the statuses (default: waiting or running), in round order."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None, match__status__in=statuses or _TO_PLAY)
    return rows.order_by("pk")


def remove_withdrawn(tournament: Tournament) -> tuple[int, ...]:
    """Remove withdrawn entries from unplayed matches; return the ids of those that must be cancelled after the unlock.

    These are running, or have used up their attempts. The caller must have locked the tournament's row.
    """
    affected = open_pairings(tournament).filter(seats__entry__status=EntryStatus.WITHDRAWN).distinct()
    found = list(affected.select_related("round", "match"))
    if not found:
        return ()
    undo_release([pairing.match_id for pairing in found if _status(pairing) == MatchStatus.QUEUED and pairing.match_id])
    waiting = list(affected.filter(match__status=MatchStatus.PLANNED).select_related("round"))
    traits = traits_of(tournament)
    if traits.resets:
        _replace(tournament, waiting, fewest=1 if traits.scored else 2)
    cancel([pairing.match_id for pairing in waiting if pairing.match_id])
    ending = affected.filter(match__status__in=(MatchStatus.QUEUED, MatchStatus.RUNNING))
    if traits.resets:
        ending = ending.exclude(seats__entry__status=EntryStatus.ENTERED)
    return tuple(ending.values_list("match_id", flat=True))


def _status(pairing: Pairing) -> str:
    return pairing.match.status if pairing.match else ""


def _replace(tournament: Tournament, pairings: Sequence[Pairing], fewest: int) -> None:
    """Recreate each match without its withdrawn entries if at least ``fewest`` entries remain in it."""
    seats = (
        PairingSeat.objects.filter(pairing__in=pairings, entry__status=EntryStatus.ENTERED)
        .select_related("entry")
        .order_by("pairing_id", "index")
    )
    left: dict[int, list[Entry]] = {}
    for seat in seats:
        left.setdefault(seat.pairing_id, []).append(seat.entry)
    for pairing in pairings:
        entries = left.get(pairing.pk, [])
        if len(entries) >= fewest:
            table = PlannedMatch(pairing.encounter, pairing.leg, tuple(entries))
            create_planned_matches(tournament, pairing.round, [table])
