"""Serialize rooms and rounds as JSON, in the same format for events and snapshots.

Players are identified by their index in the room: a round lists ``[index, gain, number1]`` or ``[index, gain, number1,
number2]`` for each, and messages with rounds include ``names``. Numbers are rounded to the resolution of a chart; the
nearest player is determined here from the exact numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.utils import timezone

from arena.games.golden_point.rooms.live.podium import podium_json
from arena.games.golden_point.rooms.models import (
    REMOVED_BY_ARENA,
    BotSeat,
    LobbyEntry,
    Pick,
    Removal,
    Room,
    RoomPlayer,
    RoomRound,
    SeatStatus,
)
from arena.games.golden_point.rooms.rules import RoomState
from arena.games.golden_point.rooms.texts import NICKNAMES, translated_nicknames
from arena.games.golden_point.rules import RoundScore
from arena.ui.localized import names_by_language

Json = dict[str, Any]

_DIGITS = 6  # significant digits
RECENTLY_DROPPED = timedelta(minutes=5)  # measured back from the start of the open round
_MAX_DROPPED_SHOWN = 5
_OF_BUILT_IN_PLAYERS = ~Q(strategy="")
_OF_HOUSE_BOTS = Q(player__bot_seats__submission__bot__is_house=True)


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """The numbers and gain of one player in a round; ``player``: the player's index."""

    player: int
    gain: int
    number1: float
    number2: float | None

    @property
    def numbers(self) -> tuple[float, ...]:
        return (self.number1,) if self.number2 is None else (self.number1, self.number2)


def room_json(room: Room, current: RoomRound) -> Json:
    """Return the room's state as JSON; ``current`` is its open round. Times are milliseconds since 1970.

    ``dropped``: recently removed bots that have not returned, latest first, each as [seat, bot, name, kind], where
    ``kind`` is the kind of fault, or "" if the arena could not run the bot. ``seconds``: length of the open round;
    ``next_seconds``: length of the next round; ``left_ms``: time left while the room is paused. ``lobby``: names of
    people who have joined but not submitted yet. ``removed``: players whom the owner removed; ``renamed``: names that
    the owner set, by player. ``podium``: see ``podium_json``; only for a finished room. ``translations``: as in
    ``translated_players``; all other names are the same for everybody.
    """
    removed = Q(player__in=Removal.objects.filter(room=room).values("player"))
    renamed = Q(is_renamed=True)
    moderated = RoomPlayer.objects.filter(removed | renamed, room=room).order_by("index")
    rows = moderated.annotate(removed=ExpressionWrapper(removed, BooleanField()))
    moderated_rows = list(rows.values_list("index", "nickname", "removed", "is_renamed"))
    return {
        "name": room.name,
        "state": room.state,
        "finished_rounds": room.finished_rounds,
        "round": current.index,
        "round_id": str(current.guid),
        "ends_at": milliseconds(current.ends_at) if current.ends_at else None,
        "left_ms": current.left_ms,
        "seconds": current.seconds,
        "next_seconds": room.seconds,
        "submitted": Pick.objects.filter(round=current).count(),
        "players": RoomPlayer.objects.filter(room=room).count(),
        "lobby": list(LobbyEntry.objects.filter(room=room).order_by("pk").values_list("nickname", flat=True)),
        "removed": [index for index, _, is_removed, _ in moderated_rows if is_removed],
        "renamed": {index: name for index, name, _, is_renamed in moderated_rows if is_renamed},
        "podium": podium_json(room) if room.state == RoomState.FINISHED else None,
        "dropped": _recently_dropped(room, current.opened_at - RECENTLY_DROPPED),
        "translations": translated_players(room.number),
    }


def round_json(closed: RoomRound, golden: float, named: Sequence[PlayerNumbers], score: RoundScore) -> Json:
    """Return a closed round as JSON. ``score``: the round's score, in which a seat is an index in ``named``."""
    return {
        "round": closed.index,
        "golden": golden,
        "day": day_of(closed.closed_at) if closed.closed_at else None,
        "picks": [[each.player, each.gain, *map(_round_to_chart_resolution, each.numbers)] for each in named],
        "nearest": [named[place].player for place in score.nearest],
        "farthest": [named[place].player for place in score.farthest],
    }


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def day_of(moment: datetime) -> str:
    """Return the day for which a score counts, in the site's time zone."""
    return timezone.localtime(moment).date().isoformat()


def _recently_dropped(room: Room, since: datetime) -> list[list[object]]:
    sitting = BotSeat.objects.filter(room=room).exclude(status=SeatStatus.ENDED)
    ended = BotSeat.objects.filter(room=room, ended_by__in=REMOVED_BY_ARENA, ended_at__gte=since)
    rows = ended.exclude(player__in=sitting.values("player")).select_related("player", "submission")
    last: dict[int, list[object]] = {}
    for seat in rows.defer("log").order_by("-ended_at", "-pk"):
        kind = seat.diagnosis["kind"] if seat.diagnosis else ""
        last.setdefault(seat.player_id, [seat.pk, seat.submission.bot_id, seat.player.nickname, kind])
    return list(last.values())[:_MAX_DROPPED_SHOWN]


def _round_to_chart_resolution(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def translated_players(number: int) -> dict[str, dict[str, str]]:
    """Return the translated names of the room's built-in players and house bots, by nickname and then by language.

    All languages are included because everyone in the room receives the same message.
    """
    rows = RoomPlayer.objects.filter(_OF_BUILT_IN_PLAYERS | _OF_HOUSE_BOTS, room__number=number).order_by("index")
    columns = ("strategy", "nickname", "player__nickname", "player__bot_seats__submission__bot__texts")
    found: dict[str, dict[str, str]] = {}
    for strategy, nickname, name, texts in rows.values_list(*columns):
        suffix = nickname.removeprefix(name) if nickname.startswith(name) else ""
        translated = translated_nicknames()[NICKNAMES[strategy]] if strategy else names_by_language(texts)
        found[nickname] = {language: text + suffix for language, text in translated.items()}
    return found
