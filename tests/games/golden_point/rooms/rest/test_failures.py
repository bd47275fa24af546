"""A failure in one room affects neither other rooms nor picks that are already stored."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.db.models import F

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.models import Pick, Room, RoomPlayer
from arena.games.golden_point.rooms.rounds.backoff import RETRY_SECONDS
from arena.games.golden_point.rooms.rules import RoomState, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from tests.games.golden_point.rooms.program import Clock, Program, run_on_test_connection

pytestmark = pytest.mark.django_db

T = TypeVar("T")


class FlakyDatabase:
    """A job runner; ``fails`` says for each of the next jobs whether the database is unavailable."""

    def __init__(self) -> None:
        self.fails: deque[bool] = deque()

    async def __call__(self, job: Callable[[], T], /) -> T:
        if self.fails and self.fails.popleft():
            raise OperationalError("the database system is shutting down")
        return await run_on_test_connection(job)


def broken_room(clock: Clock, seconds: int = 3) -> int:
    """Create a room for two players whose rounds cannot be closed, because its built-in player has no strategy."""
    terms = RoomTerms(seconds=seconds, most_players=2)
    number = services.create_room(NewRoom(terms, built_in_players=("last",)), clock())
    RoomPlayer.objects.filter(room__number=number).update(strategy="renamed")
    return number


def test_stored_pick_is_confirmed_even_if_its_room_cannot_be_read_again(clock: Clock) -> None:
    database = FlakyDatabase()
    program = Program(clock, database)
    room, players = program.room(userCount=2), [program.player(), program.player()]
    first = program.round(room)
    assert program.submit(players[0], room, 10) == (200, {})
    database.fails.extend([False, True])  # the pick is stored; reading the next round fails
    assert program.submit(players[1], room, 20) == (200, {})
    assert Pick.objects.count() == 2
    program.refresh()
    assert program.round(room) != first


def test_pick_for_a_broken_room_does_not_fail_those_for_other_rooms(
    program: Program, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = [program.room(), broken_room(clock), program.room()]
    queries = [f"uid={program.player()}&rid={program.round(room)}&n1=5" for room in rooms]

    async def submit_together() -> list[int]:
        answers = await asyncio.gather(*(program.send("POST", "/api/Submit", query) for query in queries))
        return [status for status, _ in answers]

    assert async_to_sync(submit_together)() == [200, 400, 200]
    assert "renamed" in caplog.text
    assert Pick.objects.exclude(room_player__strategy="renamed").count() == 2


def test_broken_room_does_not_keep_other_rounds_open(
    program: Program, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, room = broken_room(clock), program.room(duration=3)
    first, second = program.round(broken), program.round(room)
    clock.advance(3)
    assert program.refresh() > 0, "the next attempt does not follow immediately"
    assert "renamed" in caplog.text
    assert program.round(broken) == first
    assert program.round(room) != second


def test_round_that_cannot_be_closed_is_retried_once_a_minute(
    program: Program, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, room = broken_room(clock), program.room(duration=3)
    first, rounds = program.round(broken), set()
    clock.advance(3)
    for _ in range(5):
        program.refresh()
        rounds.add(program.round(room))
        clock.advance(3)
    assert len(rounds) == 5, "other rooms are not delayed"
    assert len(caplog.records) == 1
    clock.advance(RETRY_SECONDS)
    program.refresh()
    assert len(caplog.records) == 2
    RoomPlayer.objects.filter(room__number=broken).update(strategy="last")
    clock.advance(RETRY_SECONDS)
    program.refresh()
    assert program.round(broken) != first


def test_unreadable_room_does_not_delay_updates_of_other_rooms(
    program: Program, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    unreadable, room, uid = program.room(), program.room(), program.player()
    for number in (unreadable, room):
        program.round(number)
    Room.objects.filter(number=unreadable).update(state="renamed", version=F("version") + 1)
    Program(clock).submit(uid, room, 5)  # in another process
    for _ in range(5):
        program.refresh()
    assert program.get_ok("/api/State", roomid=room, uid=uid)["hasSubmitted"]
    assert len(caplog.records) == 1
    Room.objects.filter(number=unreadable).update(state=RoomState.FINISHED)
    clock.advance(RETRY_SECONDS / 2)
    program.round(unreadable)  # so that it stays in the cache
    clock.advance(RETRY_SECONDS / 2)
    program.refresh()
    assert program.get_ok("/api/State", roomid=unreadable)["state"] == 2


def test_database_outage_delays_no_later_update(clock: Clock) -> None:
    database = FlakyDatabase()
    program = Program(clock, database)
    room, uid = program.room(), program.player()
    program.round(room)
    Program(clock).submit(uid, room, 5)
    database.fails.extend([False, True])  # reading the room fails
    with pytest.raises(OperationalError):
        program.refresh()
    program.refresh()
    assert program.get_ok("/api/State", roomid=room, uid=uid)["hasSubmitted"]


def test_room_that_cannot_be_published_does_not_delay_events_of_other_rooms(
    program: Program, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, room = broken_room(clock, seconds=200), program.room(duration=200)
    changed = Room.objects.filter(number__in=(broken, room))
    changed.update(version=F("version") + 1)

    def unpublished() -> list[int]:
        return list(changed.filter(version__gt=F("event_version")).values_list("number", flat=True))

    for _ in range(5):
        clock.advance(0.5)
        program.refresh()
    assert unpublished() == [broken]
    assert len(caplog.records) == 1
    RoomPlayer.objects.filter(room__number=broken).update(strategy="last")
    Room.objects.filter(number=room).update(version=F("version") + 1)
    clock.advance(RETRY_SECONDS)
    program.refresh()
    assert unpublished() == []
