"""Limit the number of players and rooms that programs without an account may create per network address.

One address may serve a class of two hundred whose programs restart repeatedly, so the limits are generous; they only
keep a single address from flooding the site. Creation with an account is limited per person (``owner_services``).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings

from arena.games.golden_point.rooms.models import Player, Room
from arena.games.golden_point.rooms.rules import Refusal, RoomState
from arena.platform.quota import HOUR, HourlyUse
from arena.platform.refusal import Refused

# For all networks together. A running room costs a transaction per round; a room that is waiting costs only its rows.
MAX_RUNNING_ROOMS = 500
MAX_WAITING_ROOMS = 5000
# Seconds until a retry if the end of a room is unknown.
_ROOM_ENDS: Final = 60


def players_left(origin: str, *, now: datetime) -> int:
    """Return how many more players this network may create; 0 if the hourly limit is used up."""
    limit: int = settings.ROOM_PLAYERS_AN_HOUR
    if not limit or not origin:
        return 2**31
    made = Player.objects.filter(origin=origin, created_at__gt=now - HOUR, created_at__lte=now).count()
    return max(0, limit - made)


def too_many_players_error(origin: str, *, now: datetime) -> Refused:
    rows = Player.objects.filter(origin=origin).order_by("-created_at").values_list("created_at", flat=True)
    use = HourlyUse.from_times(list(rows[: settings.ROOM_PLAYERS_AN_HOUR]), settings.ROOM_PLAYERS_AN_HOUR, now=now)
    return Refusal.PLAYERS_OF_NETWORK.error(retry_after=max(1, use.retry_after(now=now)))


def check_player(origin: str, *, now: datetime) -> None:
    """Raise Refused if this network may not create another player now."""
    if not players_left(origin, now=now):
        raise too_many_players_error(origin, now=now)


def check_room(origin: str, *, is_waiting: bool, now: datetime) -> None:
    """Raise Refused if too many rooms have been created by programs overall, or by programs in this network."""
    state, most = (RoomState.WAITING, MAX_WAITING_ROOMS) if is_waiting else (RoomState.RUNNING, MAX_RUNNING_ROOMS)
    if Room.objects.filter(state=state, owner=None).count() >= most:
        raise Refusal.TOO_MANY_ROOMS.error(retry_after=_ROOM_ENDS)
    if not origin:
        return
    mine = Room.objects.filter(origin=origin, owner=None)
    limit = settings.PROGRAM_ROOMS_AN_HOUR
    if limit:
        made = mine.filter(created_at__gt=now - HOUR).order_by("-created_at").values_list("created_at", flat=True)
        use = HourlyUse.from_times(list(made[:limit]), limit, now=now)
        if use.is_used_up:
            raise Refusal.ROOMS_OF_NETWORK.error(retry_after=use.retry_after(now=now))
    if settings.PROGRAM_ROOMS_OPEN and mine.exclude(state=RoomState.FINISHED).count() >= settings.PROGRAM_ROOMS_OPEN:
        raise Refusal.OPEN_ROOMS_OF_NETWORK.error(retry_after=_ROOM_ENDS)
