"""Read-only queries about the people and programs in a room, for its owner."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.golden_point.rooms.models import LobbyEntry, Removal, RoomPlayer
from arena.games.golden_point.rooms.rules import PlayerKind


@dataclass(frozen=True, slots=True)
class RoomPlayerRow:
    """A member of a room. ``id``: id of the player; ``points``: points in all rounds, None for people in the lobby."""

    id: int
    name: str
    is_program: bool
    points: int | None
    is_removed: bool


def player_rows(number: int) -> list[RoomPlayerRow]:
    """Return everybody in the room except bots run by the arena.

    People in the lobby come first, in order of joining, then the players, best first, and removed players last.
    """
    removed = set(Removal.objects.filter(room__number=number).values_list("player", flat=True))
    waiting = LobbyEntry.objects.filter(room__number=number).order_by("pk")
    rows: list[tuple[int, str, str, int | None]] = [
        (*row, None) for row in waiting.values_list("player", "nickname", "player__kind")
    ]
    played = RoomPlayer.objects.filter(room__number=number).exclude(player__kind=PlayerKind.BOT)
    rows += played.order_by("-points", "index").values_list("player", "nickname", "player__kind", "points")
    lines = [
        RoomPlayerRow(pk, name, kind == PlayerKind.PROGRAM, points, pk in removed) for pk, name, kind, points in rows
    ]
    return sorted(lines, key=lambda line: line.is_removed)
