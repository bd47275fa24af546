"""Score stored matches in their tournament.

Invariants: ``score`` writes only one pairing, in the transaction that stores the result, so storing a result costs the
same whatever the size of the tournament. The standings are computed from the seats after the commit; see
arena.tournaments.standings.store. A match that did not finish (void, cancelled) is not scored at all.
"""

from __future__ import annotations

from django.utils import timezone

from arena.matches.callbacks import StoredResult
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import publish_event
from arena.tournaments.events.snapshots import matches_json
from arena.tournaments.formats.traits import match_points
from arena.tournaments.models import Pairing, PairingSeat
from arena.tournaments.standings.results import build_results


def score(result: StoredResult) -> int:
    """Score a finished match in the transaction that stores it; return the tournament's id.

    Runs a constant number of queries, and sends one live event.
    """
    pairing = Pairing.objects.select_related("tournament").get(match_id=result.match_id)
    version = lifecycle.raise_version(pairing.tournament_id, changes_standing=True)
    _store_seat_results(pairing, result)
    Pairing.objects.filter(pk=pairing.pk).update(ended_at=timezone.now())
    (match,) = matches_json([result.match_id])
    publish_event(pairing.tournament_id, version, {"type": "result", "match": match})
    return pairing.tournament_id


def _store_seat_results(pairing: Pairing, result: StoredResult) -> None:
    seats = list(pairing.seats.order_by("index"))
    outcome = result.outcome
    for seat in seats:
        seat.rank, seat.margin = outcome.ranks[seat.index], outcome.margins[seat.index]
        seat.forfeit = bool(result.faults[seat.index])
    (found,) = build_results((pairing.pk, 0, seat.entry_id, seat.rank, seat.margin, seat.forfeit) for seat in seats)
    for seat, points in zip(seats, match_points(pairing.tournament.format, found), strict=True):
        seat.points = points
    PairingSeat.objects.bulk_update(seats, ["rank", "margin", "forfeit", "points"])
