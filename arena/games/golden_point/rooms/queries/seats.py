"""Read-only queries about bots in rooms: seated bots, available bots, and the failures of a bot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext

from arena.accounts.permissions import Action, Person, owner_filter
from arena.core.referee.diagnosis import log_text
from arena.games.golden_point.rooms.bots.seating import GAME, MAX_SEATS_PER_ROOM
from arena.games.golden_point.rooms.models import BotSeat, RoomPlayer, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.texts import NICKNAMES
from arena.games.localized_messages import translate_stored_message
from arena.submissions.fault_report import FaultReport, ReportedFault, output_during_request
from arena.submissions.models import Bot
from arena.ui.localized import localized_name

# Bots that left are listed for this long, and at most this many of them.
RECENT = timedelta(days=2)
MAX_ENDED_SEATS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class BotChoices:
    """The person's own bots and the house bots that can be seated now, as (id, label) pairs."""

    mine: list[tuple[int, str]]
    house: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class BuiltInPlayerRow:
    """A built-in player in a room; it needs no worker. ``rests``: whether it was removed from play."""

    strategy: str
    name: str
    rests: bool


@dataclass(frozen=True, slots=True)
class BotSeatRow:
    """A bot that has a seat in a room or has left it. ``end_label``: why it left, "" while it is seated.

    ``failure`` is for the bot's author, the room's owner and staff.
    """

    id: int
    room: int
    room_name: str
    bot_id: int
    bot: str
    version: int
    owner: str
    owner_id: int
    is_house: bool
    status: str
    status_label: str
    end: str
    end_label: str
    failure: str  # why the arena could not run it
    seated_at: datetime
    ended_at: datetime | None

    @property
    def is_over(self) -> bool:
        return self.status == SeatStatus.ENDED


@dataclass(frozen=True, slots=True)
class BotSeatReport:
    """The private report on a bot's stay in a room, for the bot's author and staff."""

    line: BotSeatRow
    log: bytes
    fault: FaultReport | None
    log_deleted_at: datetime | None  # by retention

    @property
    def log_text(self) -> str:
        return log_text(self.log)


def bot_choices(person_id: int) -> BotChoices:
    """Return the available bots. Runs two queries."""
    playable = Bot.objects.filter(game=GAME, retired=False).exclude(active=None).order_by("name", "pk")
    mine = playable.filter(owner=person_id).values_list("pk", "name", "active__number")
    return BotChoices(
        mine=[(pk, f"{name} v{number}") for pk, name, number in mine],
        house=[(bot.pk, localized_name(bot)) for bot in playable.filter(is_house=True).only("name", "texts")],
    )


def built_in_players(number: int) -> list[BuiltInPlayerRow]:
    """Return a room's built-in players, ordered by their index in the room."""
    rows = RoomPlayer.objects.filter(room__number=number).exclude(strategy="").order_by("index")
    columns = ("strategy", "nickname", "rests")
    return [BuiltInPlayerRow(strategy, gettext(name), rests) for strategy, name, rests in rows.values_list(*columns)]


def absent_built_in_players(present: list[BuiltInPlayerRow]) -> list[str]:
    """Return the strategies of built-in players that could join: resting ones, and ones that have not played."""
    playing = {line.strategy for line in present if not line.rests}
    return [strategy for strategy in NICKNAMES if strategy not in playing]


def seat_rows(number: int, *, now: datetime) -> list[BotSeatRow]:
    """Return seated bots in order of joining, then recent departures, latest first."""
    rows = _select_names(BotSeat.objects.filter(room__number=number))
    sitting = rows.exclude(status=SeatStatus.ENDED).order_by("pk")[: 2 * MAX_SEATS_PER_ROOM]
    left = rows.filter(status=SeatStatus.ENDED, ended_at__gte=now - RECENT).order_by("-ended_at")[
        :MAX_ENDED_SEATS_SHOWN
    ]
    return [seat_row(row) for row in (*sitting, *left)]


def seats_of_bot(bot_id: int, reader: Person) -> list[BotSeatRow]:
    """Return the bot's current seats in rooms, for its page; everybody may see them, because rooms are public."""
    rows = _select_names(BotSeat.objects.filter(submission__bot=bot_id)).exclude(status=SeatStatus.ENDED)
    return [seat_row(row) for row in rows]


def bots_explained_to(reader: Person) -> list[int] | None:
    """Return the ids of the bots whose reasons for leaving the reader may see; None for all bots."""
    own = owner_filter(reader, Action.SEE_LOG, "owner_id")
    return list(Bot.objects.filter(own, game=GAME).values_list("pk", flat=True)) if own else None


def find_seat(seat_id: int) -> BotSeatRow | None:
    row = _select_names(BotSeat.objects.filter(pk=seat_id)).first()
    return None if row is None else seat_row(row)


def seat_report(seat_id: int) -> BotSeatReport | None:
    row = _select_names(BotSeat.objects.filter(pk=seat_id)).first()
    if row is None:
        return None
    log = bytes(row.log)
    return BotSeatReport(seat_row(row), log, _fault_report(row.diagnosis, log), row.log_deleted_at)


def seat_row(row: BotSeat) -> BotSeatRow:
    submission = row.submission
    return BotSeatRow(
        id=row.pk,
        room=row.room.number,
        room_name=row.room.name,
        bot_id=submission.bot_id,
        bot=localized_name(submission.bot),
        version=submission.number,
        owner=submission.bot.owner.username,
        owner_id=submission.bot.owner_id,
        is_house=submission.bot.is_house,
        status=row.status,
        status_label=str(SeatStatus(row.status).label),
        end=row.ended_by,
        end_label=str(SeatEnd(row.ended_by).label) if row.ended_by else "",
        failure=translate_stored_message(row.failure) if row.failure and row.ended_by == SeatEnd.FAILED else "",
        seated_at=row.seated_at,
        ended_at=row.ended_at,
    )


def _select_names(rows: Any) -> Any:
    return rows.select_related("room", "submission__bot__owner")


def _fault_report(diagnosis: Any, log: bytes) -> FaultReport | None:
    if diagnosis is None:
        return None
    fault = ReportedFault(diagnosis, lost=True)
    return FaultReport(fault, output_during_request(diagnosis, log), game="", seat=0, views=(), position=None)
