"""Bind a program's id to the network address that uses it, because everybody can read the id in lists.

An id moves to another address only after ten idle minutes: so a program that crashed goes on from where it was at once,
and one that changed its network after a while. A class behind one address shares it, and is protected from outside.
Ids that nobody else sees (of people in a browser) move freely; those of bots that the arena runs are used by nobody.

Whatever is done with an id is noted at once; polling is noted together, now and then (``seen``), so that it costs
next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import Enum
from math import ceil
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from arena.games.golden_point.rooms.models import AddressChange, AddressOutcome, Player, PlayerKind, Room
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN, IDLE_BEFORE_MOVE, Refusal, RoomState
from arena.platform.refusal import Refused

# Between two writes about the same id and room, however often it is tried.
_WARNED_AFTER: Final = timedelta(minutes=1)


class Use(Enum):
    """How a use of an id relates to the address that it belongs to."""

    OWN = "own"  # the same address, or one that does not matter
    FIRST = "first"  # it belongs to none yet
    MOVES = "moves"  # another one, and the id was idle long enough
    FOREIGN = "foreign"  # another one, while the id is in use


def use_of(player: Player, origin: str, now: datetime) -> Use:
    """``origin``: the digest of the network that asks; "" where it is unknown."""
    if player.kind != PlayerKind.PROGRAM or origin in ("", player.origin):
        return Use.OWN
    if not player.origin or player.used_at is None:
        return Use.FIRST
    return Use.MOVES if now - player.used_at >= IDLE_BEFORE_MOVE else Use.FOREIGN


def refusal(player: Player, now: datetime) -> Refused:
    """What a foreign use is told; the id may move after ``retry_after`` seconds if it stays idle."""
    left = (player.used_at or now) + IDLE_BEFORE_MOVE - now
    return Refusal.ELSEWHERE.error(retry_after=max(1, ceil(left.total_seconds())))


def hold(player: Player, origin: str, now: datetime) -> Use:
    """Use the id from this address, where it belongs from now on; raises Refused while it is in use elsewhere."""
    use = use_of(player, origin, now)
    if use is Use.FOREIGN:
        raise refusal(player, now)
    if use is Use.OWN:
        renew([player], now)
    elif not _move(player, origin, now):
        player.refresh_from_db()
        return hold(player, origin, now)
    return use


def renew(players: Iterable[Player], now: datetime) -> None:
    """Note that these ids are in use where they belong."""
    programs = [player.pk for player in players if player.kind == PlayerKind.PROGRAM]
    if programs:
        Player.objects.filter(pk__in=programs).update(used_at=now)


def seen(polled: Mapping[tuple[UUID, str], datetime]) -> None:
    """When ids were polled with last, and from where: they were in use then if they belong there."""
    found = []
    uids = {uid for uid, _ in polled}
    for player in Player.objects.filter(uid__in=uids, kind=PlayerKind.PROGRAM).only("uid", "origin", "used_at"):
        at = polled.get((player.uid, player.origin))
        if at is not None and (player.used_at is None or at > player.used_at):
            player.used_at = at
            found.append(player)
    Player.objects.bulk_update(found, ["used_at"], batch_size=200)


def warn(rooms: QuerySet[Room], player: Player, outcome: AddressOutcome, now: datetime) -> None:
    """Tell the owners of these rooms, where they have any, what became of a use from another address."""
    owned = rooms.exclude(number__in=ALWAYS_OPEN).exclude(state=RoomState.FINISHED).exclude(owner=None)
    known = AddressChange.objects.filter(player=player, outcome=outcome, at__gt=now - _WARNED_AFTER)
    for room in owned.exclude(pk__in=known.values("room")):
        AddressChange.objects.update_or_create(room=room, player=player, outcome=outcome, defaults={"at": now})


def _move(player: Player, origin: str, now: datetime) -> bool:
    """False where somebody else used or moved the id meanwhile."""
    rows = Player.objects.filter(pk=player.pk, origin=player.origin, used_at=player.used_at)
    moved = bool(rows.update(origin=origin, used_at=now))
    if moved:
        player.origin, player.used_at = origin, now
    return moved
