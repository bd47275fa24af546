"""Bind a program's id to the network address that uses it, because public lists contain the id.

An id moves to another address only after ten minutes of inactivity. So a program that crashed can resume at once, and
a program whose network changed can resume after a while. Students behind one shared address are protected from
outsiders, but not from one another. Secret ids (of people in a browser) move freely; ids of bots that the arena runs
cannot be used.

Every use of an id is stored at once; polling is stored in occasional batches (``record_polls``), so that it costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import Enum
from math import ceil
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from arena.games.golden_point.rooms.models import AddressChange, AddressOutcome, Player, Room
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN, IDLE_BEFORE_MOVE, PlayerKind, Refusal, RoomState
from arena.platform.refusal import Refused

# Minimum time between two writes about the same id and room, regardless of the number of attempts.
_WARNED_AFTER: Final = timedelta(minutes=1)


class AddressUse(Enum):
    """The relation between the address from which an id is used and the address to which the id is bound."""

    OWN = "own"  # the same address, or the address does not matter
    FIRST = "first"  # not bound yet
    MOVES = "moves"  # another address, and the id was idle long enough
    FOREIGN = "foreign"  # another address, while the id is in use


def classify_use(player: Player, origin: str, now: datetime) -> AddressUse:
    """Classify a use of a player's id. ``origin``: digest of the client's network; "" if it is unknown."""
    if player.kind != PlayerKind.PROGRAM or origin in ("", player.origin):
        return AddressUse.OWN
    if not player.origin or player.used_at is None:
        return AddressUse.FIRST
    return AddressUse.MOVES if now - player.used_at >= IDLE_BEFORE_MOVE else AddressUse.FOREIGN


def address_refusal(player: Player, now: datetime) -> Refused:
    """Return the error for an id that is in use at another address.

    If the id is not used in the meantime, it can be used here after ``retry_after`` seconds.
    """
    left = (player.used_at or now) + IDLE_BEFORE_MOVE - now
    return Refusal.ELSEWHERE.error(retry_after=max(1, ceil(left.total_seconds())))


def bind_id(player: Player, origin: str, now: datetime) -> AddressUse:
    """Bind the id to this address, record its use, and classify the use. Raises Refused if it is in use elsewhere."""
    use = classify_use(player, origin, now)
    if use is AddressUse.FOREIGN:
        raise address_refusal(player, now)
    if use is AddressUse.OWN:
        record_bound_use([player], now)
    elif not _move_id(player, origin, now):
        player.refresh_from_db()
        return bind_id(player, origin, now)
    return use


def record_bound_use(players: Iterable[Player], now: datetime) -> None:
    """Record that these ids are in use at their bound addresses."""
    programs = [player.pk for player in players if player.kind == PlayerKind.PROGRAM]
    if programs:
        Player.objects.filter(pk__in=programs).update(used_at=now)


def record_polls(polled: Mapping[tuple[UUID, str], datetime]) -> None:
    """Record when and from which address each id polled; polling from the id's bound address keeps the id in use."""
    found = []
    uids = {uid for uid, _ in polled}
    for player in Player.objects.filter(uid__in=uids, kind=PlayerKind.PROGRAM).only("uid", "origin", "used_at"):
        at = polled.get((player.uid, player.origin))
        if at is not None and (player.used_at is None or at > player.used_at):
            player.used_at = at
            found.append(player)
    Player.objects.bulk_update(found, ["used_at"], batch_size=200)


def warn_owners(rooms: QuerySet[Room], player: Player, outcome: AddressOutcome, now: datetime) -> None:
    """For each room with an owner, warn the owner that the player's id was used from another address."""
    owned = rooms.exclude(number__in=ALWAYS_OPEN).exclude(state=RoomState.FINISHED).exclude(owner=None)
    known = AddressChange.objects.filter(player=player, outcome=outcome, at__gt=now - _WARNED_AFTER)
    for room in owned.exclude(pk__in=known.values("room")):
        AddressChange.objects.update_or_create(room=room, player=player, outcome=outcome, defaults={"at": now})


def _move_id(player: Player, origin: str, now: datetime) -> bool:
    """Bind the id to another address; return False if it has been used or moved in the meantime."""
    rows = Player.objects.filter(pk=player.pk, origin=player.origin, used_at=player.used_at)
    moved = bool(rows.update(origin=origin, used_at=now))
    if moved:
        player.origin, player.used_at = origin, now
    return moved
