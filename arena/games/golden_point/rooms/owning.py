"""What people do with rooms of their own on the site.

Invariants: whoever calls this has asked the permission table; each change is one transaction under the lock on the
room's row and raises its version. Rooms that are always open belong to nobody and never close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.models import User
from arena.accounts.usage import HOUR, HourlyUse
from arena.classes.quotas import hold
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.models import Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.rounds import opening
from arena.games.golden_point.rooms.rules import RoomState, Terms
from arena.games.golden_point.rooms.services import NewRoom

# Seconds after which it is worth trying again where somebody has to close a room first.
_CLOSED = 60


class RoomRefused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why something cannot be done to a room, in the reader's language; says what to do next.

    ``retry_after``: for a limit, the seconds until it may be done; 0 otherwise.
    """

    def __init__(self, reason: str, retry_after: int = 0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room as somebody wants it. ``residents`` are names of strategies, ``bots`` ids of bots to seat."""

    terms: Terms
    name: str = ""
    token: str = ""
    started_by_hand: bool = False
    residents: tuple[str, ...] = ()
    bots: tuple[int, ...] = ()


def create(person: User, plan: RoomPlan, *, now: datetime) -> int:
    """Make a room with its bots; its number. Raises RoomRefused, and then nothing was made."""
    wanted = NewRoom(
        terms=plan.terms,
        owner=person.pk,
        started_by_hand=plan.started_by_hand,
        name=plan.name,
        token=plan.token,
        residents=plan.residents,
    )
    with transaction.atomic():
        _check_quota(hold(person.pk), now)
        number = services.create_room(wanted, now)
        for bot in plan.bots:
            seating.seat(number, bot, person, now=now)
    return number


def use_of(person: User, *, now: datetime) -> HourlyUse:
    """How many rooms somebody has made within the hour."""
    limit = settings.ROOMS_AN_HOUR
    rows = Room.objects.filter(owner=person, created_at__gt=now - HOUR).order_by("-created_at")
    return HourlyUse.of(list(rows.values_list("created_at", flat=True)[:limit]), limit, now=now)


def rename(number: int, name: str, *, now: datetime) -> None:
    """Give a room another name, "" for none; whoever watches it sees it at once, whatever its state."""
    with transaction.atomic():
        room = Room.objects.select_for_update().get(number=number)
        room.name = name
        Room.objects.filter(pk=room.pk).update(name=name, version=F("version") + 1)
        broadcast.tell(room, RoomRound.objects.get(room=room, closed_at=None), now)


def bind_ids(number: int, binds: bool) -> None:
    """Decide whether programs' ids stay with the network address that uses them, see ``rounds/binding``."""
    Room.objects.filter(number=number).update(binds_ids=binds)


def start(number: int, *, now: datetime) -> None:
    """Raises RoomRefused for a room that has finished; nothing happens to one that runs."""
    with transaction.atomic():
        services.begin(_open_room(number), now)


def close(number: int, *, now: datetime) -> None:
    """End a room; what was submitted to its open round does not count. Raises RoomRefused where it has ended."""
    with transaction.atomic():
        opening.give_up(_open_room(number), now)
        seating.clear(number, now=now)


def add_residents(number: int, strategies: Sequence[str], *, now: datetime) -> None:
    """Let house bots play from the next round on; those that rest come back to their places. Raises RoomRefused."""
    with transaction.atomic():
        room = _open_room(number)
        RoomPlayer.objects.filter(room=room, strategy__in=strategies).update(rests=False)
        present = set(RoomPlayer.objects.filter(room=room).exclude(strategy="").values_list("strategy", flat=True))
        fresh = [strategy for strategy in strategies if strategy not in present]
        taken = RoomPlayer.objects.filter(room=room).count()
        if room.most_players and taken + len(fresh) > room.most_players:
            raise RoomRefused(_("The room has no place left for another player."))
        first = RoomPlayer.objects.filter(room=room).aggregate(last=Max("index"))["last"]
        services.seat_residents(room, fresh, now=now, first=0 if first is None else first + 1)
        Room.objects.filter(pk=room.pk).update(version=F("version") + 1)


def rest_resident(number: int, strategy: str) -> None:
    """Let a house bot play no more; its place and its points stay, as everybody's do."""
    with transaction.atomic():
        room = opening.locked(Room.objects.values_list("pk", flat=True).get(number=number))
        RoomPlayer.objects.filter(room=room, strategy=strategy).exclude(strategy="").update(rests=True)
        Room.objects.filter(pk=room.pk).update(version=F("version") + 1)


def _open_room(number: int) -> Room:
    """The room, locked; raises RoomRefused where it has finished."""
    room = Room.objects.select_for_update().get(number=number)
    if room.state == RoomState.FINISHED:
        raise RoomRefused(_("This room has finished. Make a new one."))
    return room


def _check_quota(person: User, now: datetime) -> None:
    if person.is_staff:
        return
    unfinished = Room.objects.filter(owner=person).exclude(state=RoomState.FINISHED).count()
    if unfinished >= settings.ROOMS_OPEN:
        raise RoomRefused(_("%(n)s of your rooms are open. Close one of them first.") % {"n": unfinished}, _CLOSED)
    use = use_of(person, now=now)
    if use.is_used_up:
        text = ngettext(
            "You have made %(n)s room within the hour, and more is not possible.",
            "You have made %(n)s rooms within the hour, and more is not possible.",
            use.limit,
        )
        raise RoomRefused(use.refusal(text, now=now), use.retry_after(now=now))
