"""The podium of a finished room: who scored most in all its rounds, and the best person where a bot won."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from arena.games.golden_point.rooms.models import Pick, PlayerKind, Removal, Room, RoomPlayer

STEPS: Final = 3
_MOST_NAMED: Final = 6  # where many share a place


def podium_json(room: Room) -> dict[str, Any] | None:
    """``places``: who came first to third, each as [rank, name, points], equals by the better rank, and how many
    ``more`` there are; ``person``: the best person alike, None where a person is first or nobody but programs and bots
    played; ``players``: how many there were. Removed players have no place. None where nobody has played.
    """
    removed = Removal.objects.filter(room=room).values("player")
    played = Pick.objects.filter(room_player=OuterRef("pk"), round__closed_at__isnull=False)
    players = RoomPlayer.objects.filter(Exists(played), room=room).exclude(player__in=removed)
    ranked = players.order_by("-points", "index")
    best = list(ranked[:_MOST_NAMED])
    if not best:
        return None
    places = [_place(ranked, one) for one in best]
    person = ranked.filter(player__kind=PlayerKind.BROWSER).first()
    persons_place = _place(ranked, person) if person else None
    named = [place for place in places if place[0] <= STEPS]
    return {
        "places": named,
        "more": _count_on_podium(ranked) - len(named),
        "person": persons_place if persons_place and persons_place[0] > 1 else None,
        "players": ranked.count(),
    }


def _count_on_podium(ranked: QuerySet[RoomPlayer]) -> int:
    """How many have at least as many points as whoever stands on the last step."""
    least = ranked.values_list("points", flat=True)[STEPS - 1 : STEPS].first()
    return ranked.count() if least is None else ranked.filter(points__gte=least).count()


def _place(ranked: QuerySet[RoomPlayer], one: RoomPlayer) -> list[Any]:
    return [1 + ranked.filter(points__gt=one.points).count(), one.nickname, one.points]
