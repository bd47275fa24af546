"""Look up a room, and check who may run it."""

from __future__ import annotations

from django.http import Http404

from arena.accounts.permissions import Person, may, require
from arena.games.golden_point.rooms.queries import rooms
from arena.games.golden_point.rooms.queries.rooms import RoomRow
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN, RoomAction


def room_or_404(number: int) -> RoomRow:
    line = rooms.room_row(number)
    if line is None:
        raise Http404
    return line


def may_run(person: Person, room: RoomRow) -> bool:
    """Return whether the person may run the room; nobody may run permanent rooms."""
    return room.number not in ALWAYS_OPEN and may(person, RoomAction.RUN_ROOM, room.owner_id)


def run_or_403(person: Person, number: int) -> RoomRow:
    room = room_or_404(number)
    require(person, RoomAction.RUN_ROOM, room.owner_id)
    if not may_run(person, room):
        raise Http404
    return room
