"""The match that follows on one in its tournament."""

from __future__ import annotations

from arena.accounts.permissions import Person
from arena.matches.models import MatchStatus
from arena.matches.visibility import may_see
from arena.tournaments.models import Pairing


def next_of_tournament(match_id: int, reader: Person) -> int | None:
    """The id of the next match that has begun, for the page of the match; None outside a tournament."""
    place = Pairing.objects.filter(match_id=match_id).values_list("pk", "tournament_id").first()
    if place is None:
        return None
    pairing_id, tournament_id = place
    begun = (MatchStatus.RUNNING, MatchStatus.FINISHED)
    rows = Pairing.objects.filter(tournament_id=tournament_id, pk__gt=pairing_id, match__status__in=begun)
    found = rows.order_by("pk").values_list("match_id", flat=True).first()
    return found if found is not None and may_see(reader, found) else None
