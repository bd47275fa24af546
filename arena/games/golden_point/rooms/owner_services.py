"""Changes that people make to their own rooms on the site.

Invariants: callers have checked permissions; each change is one transaction under the lock on the room's row and
increments its version. Permanent rooms have no owner and never close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.quotas import lock_person
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.models import LobbyEntry, Player, Removal, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rounds import nicknames, transitions
from arena.games.golden_point.rooms.rules import PLAYED_STATES, PlayerKind, RoomState, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.platform.quota import HOUR, HourlyUse, limit_reached
from arena.platform.refusal import Refused


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A requested room. ``built_in_players``: names of strategies; ``bots``: ids of bots to seat."""

    terms: RoomTerms
    name: str = ""
    token: str = ""
    started_by_hand: bool = False
    built_in_players: tuple[str, ...] = ()
    bots: tuple[int, ...] = ()


def create(person: User, plan: RoomPlan, *, now: datetime) -> int:
    """Create a room and seat its bots; return the room's number. Raises Refused, without creating anything."""
    wanted = NewRoom(
        terms=plan.terms,
        owner=person.pk,
        started_by_hand=plan.started_by_hand,
        name=plan.name,
        token=plan.token,
        built_in_players=plan.built_in_players,
    )
    with transaction.atomic():
        _check_quota(lock_person(person.pk), now)
        number = services.create_room(wanted, now)
        for bot in plan.bots:
            seating.seat_bot(number, bot, person, now=now)
    return number


def hourly_use(person: User, *, now: datetime) -> HourlyUse:
    """Return how much of the hourly limit on new rooms a person has used."""
    limit = settings.ROOMS_AN_HOUR
    rows = Room.objects.filter(owner=person, created_at__gt=now - HOUR).order_by("-created_at")
    return HourlyUse.from_times(list(rows.values_list("created_at", flat=True)[:limit]), limit, now=now)


def rename(number: int, name: str, *, now: datetime) -> None:
    """Rename a room; "" removes the name. This is possible in any state, and viewers see it immediately."""
    with transaction.atomic():
        room = Room.objects.select_for_update().get(number=number)
        room.name = name
        Room.objects.filter(pk=room.pk).update(name=name, version=F("version") + 1)
        broadcast.publish_state(room, RoomRound.objects.get(room=room, closed_at=None), now)


def bind_ids(number: int, binds: bool) -> None:
    """Set whether programs' ids are bound to the network address that uses them; see ``rounds/binding``."""
    Room.objects.filter(number=number).update(binds_ids=binds)


def start(number: int, *, now: datetime) -> None:
    """Start a room. Has no effect if it has already started. Raises Refused if it has finished."""
    with transaction.atomic():
        services.begin(_lock_unfinished_room(number), now)


def pause(number: int, *, now: datetime) -> None:
    """Stop the countdown; picks still count.

    Has no effect unless the room is running. Raises Refused if it has finished.
    """
    with transaction.atomic():
        room = _lock_unfinished_room(number)
        if room.state == RoomState.RUNNING:
            transitions.pause(room, now)


def resume(number: int, *, now: datetime) -> None:
    """Resume the countdown. Has no effect unless the room is paused. Raises Refused if it has finished."""
    with transaction.atomic():
        room = _lock_unfinished_room(number)
        if room.state == RoomState.PAUSED:
            transitions.resume(room, now)


def close_round(number: int, round_id: UUID, *, now: datetime) -> int | None:
    """Close the open round before its deadline and return its number; a paused room remains paused.

    If nobody has submitted, restart the round instead and return None. Raises Refused if the round is no longer open
    or the room is not in play.
    """
    with transaction.atomic():
        room = _lock_unfinished_room(number)
        if room.state not in PLAYED_STATES:
            raise Refused(_("The room has not started. Start it first."), code="not_started")
        before = room.finished_rounds
        if not transitions.close(room, round_id, now):
            raise Refused(_("This round has already ended. Reload the page."), code="round_closed")
        return room.finished_rounds if room.finished_rounds > before else None


def change_length(number: int, seconds: int, *, now: datetime) -> None:
    """Set the length of rounds from the next one on (from the first one if the room is waiting). Raises Refused."""
    with transaction.atomic():
        room = _lock_unfinished_room(number)
        RoomTerms(room.numbers, seconds, room.most_players, room.rounds).check()
        room.seconds = seconds
        Room.objects.filter(pk=room.pk).update(seconds=seconds)
        if room.state == RoomState.WAITING:
            RoomRound.objects.filter(room=room, closed_at=None).update(seconds=seconds)
        services.publish_change(room, now)


def rename_player(number: int, player_id: int, name: str, *, now: datetime) -> str:
    """Rename a player in this room, permanently: the player's own name no longer applies there. Raises Refused.

    Return the new name, with a number appended if it looks like another player's.
    """
    cleaned = services.clean_name(name)
    if not cleaned:
        raise Refused(_("Enter a name with at least one visible character."), code="name_invisible")
    if nicknames.imitates_reserved_name(cleaned):
        raise Refused(_("This name is reserved for the arena's own players. Choose another name."), code="house_name")
    with transaction.atomic():
        room, player = _lock_room_of_member(number, player_id)
        renamed = nicknames.rename_for_owner(room, player, cleaned)
        services.publish_change(room, now)
    return renamed


def remove_player(number: int, player_id: int, *, now: datetime) -> str:
    """Remove a person or a program from this room; return the player's name there. Raises Refused.

    The player's past rounds remain and are shown as a removed player's. A number already submitted in the open round
    counts, and rounds no longer wait for the player.
    """
    with transaction.atomic():
        room, player = _lock_room_of_member(number, player_id)
        name = next(member.nickname for rows in nicknames.member_rows(room, player) for member in rows)
        Removal.objects.get_or_create(room=room, player=player, defaults={"at": now})
        LobbyEntry.objects.filter(room=room, player=player).delete()
        services.publish_change(room, now)
        transitions.close_if_complete(room, RoomRound.objects.get(room=room, closed_at=None), now)
    return name


def _lock_room_of_member(number: int, player_id: int) -> tuple[Room, Player]:
    """Lock the room; return it and the member, who must not be one of the arena's bots. Raises Refused."""
    room = Room.objects.select_for_update().get(number=number)
    player = Player.objects.filter(pk=player_id).exclude(kind=PlayerKind.BOT).first()
    if player is None or not any(rows.exists() for rows in nicknames.member_rows(room, player)):
        raise Refused(_("This player is no longer in the room. Reload the page."), code="no_player")
    return room, player


def close(number: int, *, now: datetime) -> None:
    """Close a room; picks in its open round do not count. Raises Refused if it has finished."""
    with transaction.atomic():
        transitions.give_up(_lock_unfinished_room(number), now)
        seating.remove_all_bots(number, now=now)


def add_built_in_players(number: int, strategies: Sequence[str], *, now: datetime) -> None:
    """Add built-in players, starting with the next round; deactivated ones return to their seats.

    Raises Refused.
    """
    with transaction.atomic():
        room = _lock_unfinished_room(number)
        RoomPlayer.objects.filter(room=room, strategy__in=strategies).update(rests=False)
        present = set(RoomPlayer.objects.filter(room=room).exclude(strategy="").values_list("strategy", flat=True))
        fresh = [strategy for strategy in strategies if strategy not in present]
        taken = RoomPlayer.objects.filter(room=room).count()
        if room.most_players and taken + len(fresh) > room.most_players:
            raise Refused(_("The room is full. Remove a player first."), code="room_full")
        first = RoomPlayer.objects.filter(room=room).aggregate(last=Max("index"))["last"]
        services.seat_built_in_players(room, fresh, now=now, first=0 if first is None else first + 1)
        Room.objects.filter(pk=room.pk).update(version=F("version") + 1)


def deactivate_built_in_player(number: int, strategy: str) -> None:
    """Take a built-in player out of play; like every player, it keeps its seat and points."""
    with transaction.atomic():
        room = transitions.locked_room(Room.objects.values_list("pk", flat=True).get(number=number))
        RoomPlayer.objects.filter(room=room, strategy=strategy).exclude(strategy="").update(rests=True)
        Room.objects.filter(pk=room.pk).update(version=F("version") + 1)


def _lock_unfinished_room(number: int) -> Room:
    """Return the locked room; raises Refused if it has finished."""
    room = Room.objects.select_for_update().get(number=number)
    if room.state == RoomState.FINISHED:
        raise Refused(_("This room is closed. Create a new one."), code="room_closed")
    return room


def _check_quota(person: User, now: datetime) -> None:
    if person.is_staff:
        return
    unfinished = Room.objects.filter(owner=person).exclude(state=RoomState.FINISHED).count()
    if unfinished >= settings.ROOMS_OPEN:
        raise limit_reached(_("You have %(n)s open rooms. Close one of them first.") % {"n": unfinished})
    use = hourly_use(person, now=now)
    text = _("You have reached the hourly limit for new rooms (%(n)s).")
    use.check(text, now=now)
