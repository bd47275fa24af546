"""The podium of a finished room: the highest total scores, and the best person if a bot won."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from arena.games.golden_point.rooms.models import Pick, Removal, Room, RoomPlayer
from arena.games.golden_point.rooms.rules import PlayerKind

STEPS: Final = 3
_MAX_NAMES: Final = 6  # listed if many players share a rank


def podium_json(room: Room) -> dict[str, Any] | None:
    """Return the podium as JSON; None if nobody has played.

    ``places``: first to third place as [rank, name, points], where ties share the better rank; ``more``: the number of
    players on the podium that ``places`` omits; ``person``: the place of the best person, in the same form, or None if
    a person is first or if only programs and bots played; ``players``: the number of players. Removed players have no
    place.
    """
    removed = Removal.objects.filter(room=room).values("player")
    played = Pick.objects.filter(room_player=OuterRef("pk"), round__closed_at__isnull=False)
    players = RoomPlayer.objects.filter(Exists(played), room=room).exclude(player__in=removed)
    ranked = players.order_by("-points", "index")
    best = list(ranked[:_MAX_NAMES])
    if not best:
        return None
    places = [_place_json(ranked, one) for one in best]
    person = ranked.filter(player__kind=PlayerKind.BROWSER).first()
    persons_place = _place_json(ranked, person) if person else None
    named = [place for place in places if place[0] <= STEPS]
    return {
        "places": named,
        "more": _count_on_podium(ranked) - len(named),
        "person": persons_place if persons_place and persons_place[0] > 1 else None,
        "players": ranked.count(),
    }


def _count_on_podium(ranked: QuerySet[RoomPlayer]) -> int:
    """Count the players with at least as many points as the last player on the podium."""
    least = ranked.values_list("points", flat=True)[STEPS - 1 : STEPS].first()
    return ranked.count() if least is None else ranked.filter(points__gte=least).count()


def _place_json(ranked: QuerySet[RoomPlayer], one: RoomPlayer) -> list[Any]:
    return [1 + ranked.filter(points__gt=one.points).count(), one.nickname, one.points]
