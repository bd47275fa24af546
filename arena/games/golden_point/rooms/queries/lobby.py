"""Read-only queries of the lobby: filter and feature rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Case, F, Q, QuerySet, When

from arena.accounts.permissions import Person
from arena.games.golden_point.rooms.models import BotSeat, Room
from arena.games.golden_point.rooms.queries.rooms import RoomLine, lines, with_players
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN, RoomState

FEATURED: Final = 3


@dataclass(frozen=True, slots=True)
class RoomFilter:
    """Empty fields do not narrow, but that without a ``state`` rooms that have finished are left out."""

    text: str = ""  # part of its name, its number, or the name of who made it
    state: str = ""
    numbers: int = 0
    mine: bool = False  # made by the reader, or one in which a bot that they seated plays or played


def rooms(chosen: RoomFilter, reader_id: int | None) -> QuerySet[Room]:
    """Those that always exist first, then the newest; a page of them goes to ``lines``."""
    rows = Room.objects.filter(state=chosen.state) if chosen.state else Room.objects.exclude(state=RoomState.FINISHED)
    if chosen.text:
        rows = rows.filter(_named(chosen.text.strip()))
    if chosen.numbers:
        rows = rows.filter(numbers=chosen.numbers)
    if chosen.mine and reader_id is not None:
        rows = rows.filter(Q(owner=reader_id) | Q(pk__in=BotSeat.objects.filter(seated_by=reader_id).values("room")))
    always_first = Case(When(number__in=ALWAYS_OPEN, then=F("number")), default=len(ALWAYS_OPEN))
    return with_players(rows).order_by(always_first, "-number")


def featured(page: None, reader: Person) -> list[RoomLine]:
    """Running rooms that anybody can join: those in which somebody played last, then those that always exist."""
    open_to_all = Room.objects.filter(state=RoomState.RUNNING, token="")
    return lines(with_players(open_to_all).order_by(F("played_at").desc(nulls_last=True), "number")[:FEATURED])


def _named(text: str) -> Q:
    found = Q(name__icontains=text) | Q(owner__username__icontains=text)
    number = text.removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) < 10:
        found |= Q(number=int(number))
    return found
