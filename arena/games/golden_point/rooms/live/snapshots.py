"""Snapshots of a room as JSON: the initial state of its page, before its WebSocket sends events.

Invariants: a snapshot plus the events numbered after its ``seq`` equals a later snapshot. ``seq`` is read first, so
changes made while the snapshot is being built arrive again as events. Scores cover ``day``, the last day with
a round, up to the last round of the snapshot, so a client that already has that round counts nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from arena.games.golden_point.rooms.live.serializers import (
    Json,
    PlayerNumbers,
    day_of,
    milliseconds,
    room_json,
    round_json,
)
from arena.games.golden_point.rooms.models import Pick, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rules import score_round
from arena.platform.live.single_flight import single_flight

ROUNDS: Final = 100  # number of rounds that a page shows initially
_PICKS: Final = 6_000  # maximum number of picks: a snapshot of a large room has fewer rounds
_PICKS_A_PAGE: Final = 20_000
_CACHE_SECONDS: Final = 20


def snapshot(number: int, now: datetime, *, since: int = 0) -> Json | None:
    """Return this room's page state, with the newest closed rounds after ``since``; None if there is no such room.

    It is computed once per event in each process, for any number of readers.
    """
    current = RoomRound.objects.select_related("room").filter(room__number=number, closed_at=None).first()
    if current is None:
        return None
    key = f"rooms.snapshot.{current.guid}.{current.room.event_seq}.{since}"
    return {**single_flight(key, lambda: _build_snapshot(current, since), _CACHE_SECONDS), "at": milliseconds(now)}


def terms_json(number: int) -> Json | None:
    """Return the room's settings, with 0 for no limit; None if there is no such room."""
    room = Room.objects.filter(number=number).first()
    if room is None:
        return None
    return {
        "number": room.number,
        "numbers": room.numbers,
        "seconds": room.seconds,
        "rounds": room.rounds,
        "maxPlayers": room.most_players,
    }


def rounds_before(number: int, before: int) -> Json:
    """Return a page of closed rounds whose index is below ``before``, newest first."""
    closed = _closed_rounds(number).filter(index__lt=before)
    rows = list(closed.order_by("-index")[: _count_fitting_rounds(closed.order_by("-index").first(), _PICKS_A_PAGE)])
    return {"rounds": _rounds_json(rows), "names": _names(rows)}


def _build_snapshot(current: RoomRound, since: int) -> Json:
    room = current.room
    closed = _closed_rounds(room.number).filter(index__lt=current.index)
    newest = closed.order_by("-index").first()
    rows = list(closed.filter(index__gt=since).order_by("-index")[: min(ROUNDS, _count_fitting_rounds(newest, _PICKS))])
    scores = _scores(room, newest)
    names = _names(rows) | {index: name for index, name, _ in scores}
    return {
        "seq": room.event_seq,
        "room": room_json(room, current),
        "rounds": _rounds_json(rows),
        "names": names,
        "day": day_of(newest.closed_at) if newest and newest.closed_at else None,
        "scores": [[index, score] for index, _, score in scores],
    }


def _closed_rounds(number: int) -> QuerySet[RoomRound]:
    return RoomRound.objects.filter(room__number=number, closed_at__isnull=False, golden__isnull=False)


def _count_fitting_rounds(newest: RoomRound | None, picks: int) -> int:
    """Return how many rounds of the newest round's size fit into this many picks; at least one."""
    return max(1, picks // max(1, Pick.objects.filter(round=newest).count())) if newest else 1


def _scores(room: Room, newest: RoomRound | None) -> list[tuple[int, str, int]]:
    """Return the index, name and score of everybody who has played on the day of the newest round, up to that round."""
    if newest is None or newest.closed_at is None:
        return []
    midnight = timezone.localtime(newest.closed_at).replace(hour=0, minute=0, second=0, microsecond=0)
    that_day = Q(picks__round__closed_at__gte=midnight, picks__round__index__lte=newest.index)
    players = RoomPlayer.objects.filter(that_day, room=room).annotate(score=Sum("picks__gain", filter=that_day))
    return [
        (index, name, score or 0)
        for index, name, score in players.order_by("index").values_list("index", "nickname", "score")
    ]


def _rounds_json(rows: Sequence[RoomRound]) -> list[Json]:
    named: dict[int, list[PlayerNumbers]] = {row.pk: [] for row in rows}
    picks = Pick.objects.filter(round__in=named).order_by("room_player__index")
    columns = ("round_id", "room_player__index", "gain", "number1", "number2")
    for pk, index, gain, first, second in picks.values_list(*columns):
        named[pk].append(PlayerNumbers(index, gain, first, second))
    return [
        round_json(row, row.golden, named[row.pk], score_round([each.numbers for each in named[row.pk]]))
        for row in rows
        if row.golden is not None and named[row.pk]
    ]


def _names(rows: Iterable[RoomRound]) -> dict[int, str]:
    players = RoomPlayer.objects.filter(picks__round__in=list(rows)).distinct()
    return dict(players.values_list("index", "nickname"))
