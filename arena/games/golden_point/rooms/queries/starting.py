"""Who may start a room that waits, and what they have to show for it."""

from __future__ import annotations

from enum import StrEnum

from arena.accounts.permissions import Person, may
from arena.games.golden_point.rooms.permissions import RoomAction
from arena.games.golden_point.rooms.queries.rooms import RoomLine
from arena.games.golden_point.rooms.rules import RoomState


class WayToStart(StrEnum):
    """What a reader of a room's pages can do to start it."""

    NONE = ""  # it does not wait, or waits for somebody else
    PRESS = "press"  # it is the reader's, or nobody's
    PROVE = "prove"  # a program made it: whoever knows the program's uid starts it, here or by StartGame


def way_to_start(reader: Person, room: RoomLine) -> WayToStart:
    if room.state is not RoomState.WAITING:
        return WayToStart.NONE
    if room.is_nobodys or may(reader, RoomAction.RUN_ROOM, room.owner_id):
        return WayToStart.PRESS
    return WayToStart.PROVE if room.owner_id is None else WayToStart.NONE
