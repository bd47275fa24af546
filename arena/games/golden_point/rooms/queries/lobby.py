"""Read-only queries for the lobby: filtered rooms and featured rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Case, F, Q, QuerySet, When

from arena.accounts.permissions import Person
from arena.games.golden_point.rooms.models import BotSeat, Room
from arena.games.golden_point.rooms.queries.rooms import RoomRow, annotate_player_counts, room_rows
from arena.games.golden_point.rooms.rules import ALWAYS_OPEN, RoomState

FEATURED: Final = 3


@dataclass(frozen=True, slots=True)
class RoomFilter:
    """The filters for the lobby. Empty fields are ignored, except that an empty ``state`` excludes finished rooms."""

    text: str = ""  # part of its name, its number, or its creator's name
    state: str = ""
    numbers: int = 0
    mine: bool = False  # created by the reader, or has or had a bot that the reader seated


def filter_rooms(chosen: RoomFilter, reader_id: int | None) -> QuerySet[Room]:
    """Select rooms: permanent rooms first, then the newest. ``room_rows`` prepares a page of them for display."""
    rows = Room.objects.filter(state=chosen.state) if chosen.state else Room.objects.exclude(state=RoomState.FINISHED)
    if chosen.text:
        rows = rows.filter(_name_filter(chosen.text.strip()))
    if chosen.numbers:
        rows = rows.filter(numbers=chosen.numbers)
    if chosen.mine and reader_id is not None:
        rows = rows.filter(Q(owner=reader_id) | Q(pk__in=BotSeat.objects.filter(seated_by=reader_id).values("room")))
    always_first = Case(When(number__in=ALWAYS_OPEN, then=F("number")), default=len(ALWAYS_OPEN))
    return annotate_player_counts(rows).order_by(always_first, "-number")


def featured_rooms(page: None, reader: Person) -> list[RoomRow]:
    """Return a few running rooms that anybody can join, the most recently played ones first."""
    open_to_all = Room.objects.filter(state=RoomState.RUNNING, token="")
    return room_rows(
        annotate_player_counts(open_to_all).order_by(F("played_at").desc(nulls_last=True), "number")[:FEATURED]
    )


def _name_filter(text: str) -> Q:
    found = Q(name__icontains=text) | Q(owner__username__icontains=text)
    number = text.removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) < 10:
        found |= Q(number=int(number))
    return found
