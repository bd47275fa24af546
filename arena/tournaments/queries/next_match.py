"""The matches that follow a given one in its encounter and its tournament."""

from __future__ import annotations

from dataclasses import dataclass

from arena.accounts.permissions import Person
from arena.matches.models import MatchStatus
from arena.matches.visibility import may_see
from arena.tournaments.models import Pairing


@dataclass(frozen=True, slots=True)
class FollowingMatches:
    """The ids of the next match in the same encounter and of the next match in the tournament; both have started.

    Each is None if there is no such match or the reader may not see it; ``of_tournament`` is also None if it would be
    the same match as ``of_encounter``.
    """

    of_encounter: int | None
    of_tournament: int | None

    @property
    def linked_matches(self) -> frozenset[int]:
        return frozenset(pk for pk in (self.of_encounter, self.of_tournament) if pk is not None)


def following_matches(match_id: int, reader: Person) -> FollowingMatches | None:
    """Return the following matches for a match's page.

    Return None if the match is not part of a tournament, or if no match follows.
    """
    pairing = Pairing.objects.filter(match_id=match_id).first()
    if pairing is None:
        return None
    begun = Pairing.objects.filter(
        tournament_id=pairing.tournament_id, match__status__in=(MatchStatus.RUNNING, MatchStatus.FINISHED)
    )
    same = begun.filter(round_id=pairing.round_id, encounter=pairing.encounter, leg__gt=pairing.leg)
    later = begun.filter(pk__gt=pairing.pk)
    of_encounter = same.order_by("leg", "pk").values_list("match_id", flat=True).first()
    of_tournament = later.order_by("pk").values_list("match_id", flat=True).first()
    shown = {pk: may_see(reader, pk) for pk in {of_encounter, of_tournament} if pk is not None}
    of_encounter = of_encounter if shown.get(of_encounter or 0) else None
    of_tournament = of_tournament if shown.get(of_tournament or 0) and of_tournament != of_encounter else None
    return FollowingMatches(of_encounter, of_tournament) if of_encounter or of_tournament else None
