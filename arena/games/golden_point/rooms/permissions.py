"""Permissions in rooms: rows of the table in ``arena/accounts/permissions.py``."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.accounts.permissions import OWNER, SIGNED_IN, STAFF, Rules


class RoomAction(StrEnum):
    """What not everybody may do in rooms."""

    CREATE_ROOM = "create_room"  # on the site; programs make rooms without an account
    RUN_ROOM = "run_room"  # rename, start, close it, choose its house bots
    SEAT_BOT = "seat_bot"  # in a room, to play there on a worker: the owner is the bot's


RULES: Final[Rules] = {
    RoomAction.CREATE_ROOM: SIGNED_IN,
    RoomAction.RUN_ROOM: OWNER | STAFF,
    RoomAction.SEAT_BOT: OWNER | STAFF,
}
