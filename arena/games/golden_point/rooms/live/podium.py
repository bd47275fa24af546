"""The podium of a finished room: the highest total scores, and the best people if a bot won."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from arena.games.golden_point.rooms.models import Pick, Removal, Room, RoomPlayer
from arena.games.golden_point.rooms.rules import PlayerKind

STEPS: Final = 3
_MAX_NAMES: Final = 6  # listed if many players share a rank
_MAX_PERSONS: Final = 3  # named as the best if many people share that rank


def podium_json(room: Room) -> dict[str, Any] | None:
    """Return the podium as JSON; None if nobody has played.

    ``places``: first to third place as [rank, name, points], where ties share the better rank; ``more``: the number of
    players on the podium that ``places`` omits; ``persons``: the places, in the same form, of the best people, who
    share a rank; empty if a person is first or nobody was a person; ``more_persons``: the number of people with that
    rank whom ``persons`` omits; ``persons_tied``: whether these share it with each other or with bots; ``players``: the
    number of players. Removed players have no place.
    """
    removed = Removal.objects.filter(room=room).values("player")
    played = Pick.objects.filter(room_player=OuterRef("pk"), round__closed_at__isnull=False)
    players = RoomPlayer.objects.filter(Exists(played), room=room).exclude(player__in=removed)
    ranked = players.order_by("-points", "index")
    best = list(ranked[:_MAX_NAMES])
    if not best:
        return None
    places = [_place_json(ranked, one) for one in best]
    named = [place for place in places if place[0] <= STEPS]
    return {
        "places": named,
        "more": _count_on_podium(ranked) - len(named),
        **_best_persons(ranked),
        "players": ranked.count(),
    }


def _best_persons(ranked: QuerySet[RoomPlayer]) -> dict[str, Any]:
    persons = ranked.filter(player__kind=PlayerKind.BROWSER)
    best = persons.first()
    rank, _, points = _place_json(ranked, best) if best else (1, "", 0)
    if rank == 1:
        return {"persons": [], "more_persons": 0, "persons_tied": False}
    names = list(persons.filter(points=points).values_list("nickname", flat=True))
    named = [[rank, name, points] for name in names[:_MAX_PERSONS]]
    is_tied = ranked.filter(points=points).count() > 1
    return {"persons": named, "more_persons": len(names) - len(named), "persons_tied": is_tied}


def _count_on_podium(ranked: QuerySet[RoomPlayer]) -> int:
    """Count the players with at least as many points as the last player on the podium."""
    least = ranked.values_list("points", flat=True)[STEPS - 1 : STEPS].first()
    return ranked.count() if least is None else ranked.filter(points__gte=least).count()


def _place_json(ranked: QuerySet[RoomPlayer], one: RoomPlayer) -> list[Any]:
    return [1 + ranked.filter(points__gt=one.points).count(), one.nickname, one.points]
