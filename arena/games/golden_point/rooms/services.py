"""Create, start and close rooms, and change players, each in one transaction.

See ``rounds/picks`` for picks.

Invariants: rooms 0 and 1 always exist, are always running, and have built-in players; a player gets a row only when
there is something to store; polling alone never creates one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce

from arena.games.golden_point.rooms.identity import GuidPurpose, default_name, is_issued, new_guid
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.models import (
    AddressOutcome,
    LobbyEntry,
    Player,
    Removal,
    Room,
    RoomPlayer,
    RoomRound,
)
from arena.games.golden_point.rooms.rounds import binding, limits, nicknames, transitions
from arena.games.golden_point.rooms.rounds.backoff import FailureBackoff
from arena.games.golden_point.rooms.rounds.binding import AddressUse
from arena.games.golden_point.rooms.rounds.nicknames import NamesInUse
from arena.games.golden_point.rooms.rules import (
    ALWAYS_OPEN,
    GIVEN_UP_AFTER,
    MAX_LOBBY_ENTRIES,
    NAME_LENGTH,
    NEVER_STARTED,
    PLAYED_STATES,
    PlayerKind,
    Refusal,
    RoomState,
    RoomTerms,
)
from arena.games.golden_point.rooms.texts import NICKNAMES
from arena.platform.lookalikes import skeleton

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A room to be created.

    ``built_in_players``: names of strategies; ``owner``: an account's id; ``origin``: digest of the requesting
    program's network.
    """

    terms: RoomTerms
    creator: UUID | None = None
    owner: int | None = None
    started_by_hand: bool = False
    name: str = ""
    token: str = ""
    built_in_players: tuple[str, ...] = ()
    origin: str = ""


def clean_name(text: str) -> str:
    """Return the usable part of a player's name; empty if it has no visible characters."""
    name = "".join(char for char in text if char.isprintable()).strip()[:NAME_LENGTH].strip()
    return name if skeleton(name) else ""


@dataclass(frozen=True, slots=True)
class RoomCaller:
    """The caller of an operation: the digest of the caller's network ("" if unknown), and the time."""

    origin: str
    now: datetime


def create_player(name: str, caller: RoomCaller, kind: PlayerKind = PlayerKind.PROGRAM) -> Player:
    """Create a player; raises Refused if the name resembles a built-in player's or if there are too many players."""
    uid, cleaned = new_guid(GuidPurpose.PLAYER), clean_name(name)
    if kind != PlayerKind.BOT and nicknames.imitates_reserved_name(cleaned):
        raise Refusal.RESERVED_NAME.error()
    limits.check_player(caller.origin, now=caller.now)
    return Player.objects.create(
        uid=uid,
        nickname=cleaned or default_name(uid),
        kind=kind,
        origin=caller.origin,
        used_at=caller.now,
        created_at=caller.now,
    )


def acting_player(uid: UUID | None, caller: RoomCaller) -> Player:
    """Return the caller's player, who has this uid; create the player's row if it does not exist yet.

    Raises Refused for a uid that was never issued, belongs to one of the arena's bots, or is in use at another network
    address.
    """
    player = Player.objects.filter(uid=uid).first() if uid else None
    if player is None:
        if uid is None or not is_issued(uid, GuidPurpose.PLAYER):
            raise Refusal.INVALID_UID.error()
        limits.check_player(caller.origin, now=caller.now)
        player, _ = Player.objects.get_or_create(
            uid=uid,
            defaults={
                "nickname": default_name(uid),
                "origin": caller.origin,
                "used_at": caller.now,
                "created_at": caller.now,
            },
        )
    if player.kind == PlayerKind.BOT:
        raise Refusal.INVALID_UID.error()
    rooms = Room.objects.filter(room_players__player=player)
    if binding.classify_use(player, caller.origin, caller.now) is AddressUse.FOREIGN:
        binding.warn_owners(rooms, player, AddressOutcome.REFUSED, caller.now)
    if binding.bind_id(player, caller.origin, caller.now) is AddressUse.MOVES:
        binding.warn_owners(rooms, player, AddressOutcome.MOVED, caller.now)
    return player


def rename(uid: UUID | None, name: str, caller: RoomCaller) -> Player:
    """Rename the player in all their rooms.

    In rooms where the name looks like another player's, the player gets a similar name (see ``nicknames``).
    """
    cleaned = clean_name(name)
    player = acting_player(uid, caller)
    if not cleaned:
        raise Refusal.INVALID_NAME.error()
    if nicknames.imitates_reserved_name(cleaned):
        raise Refusal.RESERVED_NAME.error()
    player.nickname = cleaned
    player.save(update_fields=["nickname"])
    its = Q(room_players__player=player) | Q(lobby_entries__player=player)
    for pk in set(Room.objects.filter(its).values_list("pk", flat=True)):
        with transaction.atomic():
            room = transitions.locked_room(pk)
            nicknames.rename(room, player)
            publish_change(room, caller.now)
    return player


def join(number: int, uid: UUID | None, caller: RoomCaller) -> str:
    """Join the lobby of a room under the player's nickname, before the first pick; return the name in the room.

    This is only for people in a browser, because only their ids are secret. Raises Refused. In a room with a player
    limit, the lobby does not reserve a place; the first pick takes it. The lobby is full once the people in it
    and the players together reach that limit.
    """
    player = acting_player(uid, caller)
    if player.kind != PlayerKind.BROWSER:
        raise Refusal.INVALID_UID.error()
    with transaction.atomic():
        room = _locked_room(number)
        if room.state == RoomState.FINISHED:
            raise Refusal.FINISHED.error()
        if room.token:
            raise Refusal.WRONG_TOKEN.error()
        if Removal.objects.filter(room=room, player=player).exists():
            raise Refusal.REMOVED.error()
        for rows in nicknames.member_rows(room, player):
            if member := rows.first():
                return member.nickname
        joined = LobbyEntry.objects.filter(room=room).count()
        taken = joined + RoomPlayer.objects.filter(room=room).count()
        if joined >= MAX_LOBBY_ENTRIES or 0 < room.most_players <= taken:
            raise Refusal.FULL.error()
        name = NamesInUse(room).assign_name(player)
        LobbyEntry.objects.create(room=room, player=player, nickname=name.text, skeleton=name.skeleton)
        publish_change(room, caller.now)
    return name.text


def leave(number: int, uid: UUID | None, caller: RoomCaller) -> None:
    """Leave the lobby of a room. Has no effect if the player is not in it. Raises Refused."""
    player = acting_player(uid, caller)
    with transaction.atomic():
        room = _locked_room(number)
        if LobbyEntry.objects.filter(room=room, player=player).delete()[0]:
            publish_change(room, caller.now)


def _locked_room(number: int) -> Room:
    room = Room.objects.select_for_update().filter(number=number).first()
    if room is None:
        raise Refusal.INVALID_ROOM.error()
    return room


def publish_change(room: Room, now: datetime) -> None:
    """Increment the version of a locked room and publish its state."""
    Room.objects.filter(pk=room.pk).update(version=F("version") + 1)
    broadcast.publish_state(room, RoomRound.objects.get(room=room, closed_at=None), now)


def create_room(wanted: NewRoom, now: datetime) -> int:
    """Create a room and return its number; the room starts immediately unless it is to be started manually."""
    wanted.terms.check()
    creator = acting_player(wanted.creator, RoomCaller(wanted.origin, now)) if wanted.creator else None
    for _ in range(_ATTEMPTS):
        try:
            with transaction.atomic():
                if wanted.owner is None:
                    limits.check_room(wanted.origin, is_waiting=wanted.started_by_hand, now=now)
                highest = Room.objects.aggregate(highest=Max("number"))["highest"]
                return _create_room_row(max(highest or 0, *ALWAYS_OPEN) + 1, wanted, creator, now).number
        except IntegrityError:  # the number has been taken in the meantime
            continue
    raise Refusal.TOO_MANY_ROOMS.error()


def start(number: int, uid: UUID | None, caller: RoomCaller) -> None:
    """Start a room that is waiting to be started. Has no effect if it has already started.

    Anybody may start a room that has neither an owner nor a creator.
    """
    if uid is not None and Room.objects.filter(number=number, creator__uid=uid).exists():
        acting_player(uid, caller)
    with transaction.atomic():
        room = Room.objects.select_for_update(of=("self",)).select_related("creator").filter(number=number).first()
        if room is None:
            raise Refusal.INVALID_ROOM.error()
        if room.creator is not None and room.creator.uid != uid:
            raise (Refusal.NOT_CREATOR if uid else Refusal.INVALID_UID).error()
        if room.creator is None and room.owner_id is not None:
            raise Refusal.NOT_CREATOR.error()
        begin(room, caller.now)


def begin(room: Room, now: datetime) -> None:
    """Start a room that is waiting; the caller has locked its row. Raises Refused if the room has finished."""
    if room.state == RoomState.FINISHED:
        raise Refusal.FINISHED.error()
    if room.state == RoomState.WAITING:
        transitions.begin(room, now)


def close_due_rounds(now: datetime, backoff: FailureBackoff[UUID] | None = None) -> int:
    """Close every round past its deadline; return how many were closed by this call.

    If a round cannot be closed, the failure is logged and does not affect other rooms. ``backoff``: delays the next
    attempt to close that round; if it is None, the next call tries again.
    """
    backoff = backoff or FailureBackoff()
    due = RoomRound.objects.filter(closed_at=None, ends_at__lte=now).order_by("ends_at")
    return sum(
        _close_round(room_pk, guid, now, backoff)
        for room_pk, guid in due.values_list("room_id", "guid")
        if not backoff.is_delayed(guid, now)
    )


def ensure_permanent_rooms(now: datetime) -> None:
    """Ensure that the permanent rooms 0 and 1 exist."""
    for number in ALWAYS_OPEN:
        terms = RoomTerms(numbers=number + 1)
        if not Room.objects.filter(number=number).exists():
            try:
                with transaction.atomic():
                    _create_room_row(number, NewRoom(terms, built_in_players=tuple(NICKNAMES)), None, now)
            except IntegrityError:  # another process created it
                continue


def close_idle_rooms(now: datetime, backoff: FailureBackoff[int] | None = None) -> int:
    """Close rooms that have been idle, or not started, for a long time; return how many rooms were closed.

    Failures are contained and delayed as by ``close_due_rounds``.
    """
    backoff = backoff or FailureBackoff()
    others = Room.objects.exclude(number__in=ALWAYS_OPEN).annotate(last=Coalesce("played_at", "created_at"))
    running = others.filter(state__in=PLAYED_STATES, last__lt=now - GIVEN_UP_AFTER)
    waiting = others.filter(state=RoomState.WAITING, created_at__lt=now - NEVER_STARTED)
    idle = [*running.values_list("pk", flat=True), *waiting.values_list("pk", flat=True)]
    return sum(_close_idle_room(pk, now, backoff) for pk in idle if not backoff.is_delayed(pk, now))


def _close_round(room_pk: int, guid: UUID, now: datetime, backoff: FailureBackoff[UUID]) -> bool:
    with backoff.contain_failure(guid, now, "round %s could not be closed"), transaction.atomic():
        return transitions.close(transitions.locked_room(room_pk), guid, now)
    return False


def _close_idle_room(pk: int, now: datetime, backoff: FailureBackoff[int]) -> bool:
    with backoff.contain_failure(pk, now, "idle room %s could not be closed"), transaction.atomic():
        room = transitions.locked_room(pk)
        if room.state != RoomState.FINISHED:
            transitions.give_up(room, now)
            return True
    return False


def _create_room_row(number: int, wanted: NewRoom, creator: Player | None, now: datetime) -> Room:
    terms = wanted.terms
    room = Room.objects.create(
        number=number,
        name=wanted.name,
        creator=creator,
        owner_id=wanted.owner,
        state=RoomState.WAITING if wanted.started_by_hand else RoomState.RUNNING,
        numbers=terms.numbers,
        seconds=terms.seconds,
        most_players=terms.most_players,
        rounds=terms.rounds,
        token=wanted.token,
        origin=wanted.origin,
        created_at=now,
    )
    seat_built_in_players(room, wanted.built_in_players, now=now)
    transitions.open_round(room, 1, now)
    return room


def seat_built_in_players(room: Room, strategies: Sequence[str], *, now: datetime, first: int = 0) -> None:
    """Seat built-in players, starting at index ``first``; they play when a round opens."""
    names = NamesInUse(room)
    for index, strategy in enumerate(strategies, start=first):
        player = create_player(NICKNAMES[strategy], RoomCaller("", now), PlayerKind.BOT)
        name = names.assign_name(player)
        RoomPlayer.objects.create(
            room=room, player=player, index=index, nickname=name.text, skeleton=name.skeleton, strategy=strategy
        )
