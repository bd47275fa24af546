"""A bot's session ends after a fault or removal, when the room ends or is full, or when no other player is left."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F

from arena.core.referee.testing import ScriptedTurn
from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.bots.hosting import ALONE_LIMIT
from arena.games.golden_point.rooms.live.serializers import RECENTLY_DROPPED
from arena.games.golden_point.rooms.live.snapshots import snapshot
from arena.games.golden_point.rooms.models import Room, RoomPlayer, SeatEnd, SeatStatus
from arena.notifications.kinds import notification_text
from arena.notifications.models import Notification
from tests.games.golden_point.rooms.bots.answers import answer_always
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("turn", "kind", "word"),
    [
        (ScriptedTurn(takes=2), "timeout", "longer than 1.5 s"),
        (ScriptedTurn(raw=b"nonsense"), "bad_message", ""),
        (
            ScriptedTurn(failed={"cause": "exception", "message": "ZeroDivisionError", "line": 3}, prints=b"so far"),
            *("crash", "ZeroDivisionError"),
        ),
    ],
)
def test_fault_ends_the_session_and_is_reported_to_the_author(
    program: Program, worker: RoomsWorker, turn: ScriptedTurn, kind: str, word: str
) -> None:
    room = program.room(duration=3)
    seat = worker.seat(room, worker.bot(lambda request: turn))
    worker.run(2.5, program)
    seat.refresh_from_db()
    assert (seat.status, seat.ended_by, seat.ended_at is None) == (SeatStatus.ENDED, SeatEnd.FAULT, False)
    assert seat.diagnosis["kind"] == kind
    assert word in seat.diagnosis["message"]
    assert bytes(seat.log) == turn.prints
    assert worker.started[0].closed
    worker.run(5, program)
    assert len(worker.started) == 1


@pytest.mark.long
def test_room_shows_recently_failed_bots_for_a_while(program: Program, worker: RoomsWorker) -> None:
    room, bot = program.room(duration=20), worker.bot(lambda request: ScriptedTurn(takes=9))

    def dropped_bots() -> Any:
        found = snapshot(room, worker.clock())
        assert found
        return found["room"]["dropped"]

    seat = worker.seat(room, bot)
    worker.run(12, program)
    room_row = Room.objects.get(number=room)
    assert (room_row.version, dropped_bots()) == (room_row.event_version, [[seat.pk, bot.pk, bot.name, "timeout"]])
    notification = Notification.objects.get(recipient=bot.owner)
    assert notification_text(notification.kind, notification.context).path == f"/rooms/seats/{seat.pk}/"
    again = worker.seat(room, bot)
    Room.objects.update(event_seq=F("event_seq") + 1)  # a new event, because snapshots are cached until the next one
    assert dropped_bots() == []
    worker.run(12, program)
    assert dropped_bots() == [[again.pk, bot.pk, bot.name, "timeout"]]
    worker.clock.advance(RECENTLY_DROPPED.total_seconds() + 20)
    program.refresh()
    assert dropped_bots() == []


def test_bot_that_cannot_start_takes_no_place(program: Program, worker: RoomsWorker) -> None:
    room = program.room(duration=30, userCount=2)
    failed = {"cause": "syntax", "message": "SyntaxError: invalid syntax"}
    seat = worker.seat(room, worker.bot(answer_always(5), start={"load": ScriptedTurn(failed=failed)}))
    worker.run(1, program)
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis["turn"]) == (SeatEnd.FAULT, 0)
    assert not RoomPlayer.objects.exists()


def test_removing_a_bot_ends_its_session_immediately(program: Program, worker: RoomsWorker) -> None:
    seat = worker.seat(program.room(duration=30), worker.bot(answer_always(30)))
    worker.run(1, program)
    seating.remove_bot(seat.pk, now=worker.clock())
    worker.run(1, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.TAKEN
    assert worker.started[0].closed
    assert not seating.remove_bot(seat.pk, now=worker.clock())


@pytest.mark.long
def test_end_of_room_ends_the_session(program: Program, worker: RoomsWorker) -> None:
    seat = worker.seat(program.room(duration=3, roundCount=2), worker.bot(answer_always(30)))
    worker.run(10, program)
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis) == (SeatEnd.OVER, None)
    assert worker.started[0].closed


@pytest.mark.long
def test_bots_leave_a_room_without_people_after_a_while(program: Program, worker: RoomsWorker) -> None:
    services.ensure_permanent_rooms(worker.clock())
    seat, ada = worker.seat(0, worker.bot(answer_always(30))), program.player("Ada")
    worker.run(1, program)
    worker.clock.advance(ALONE_LIMIT.total_seconds() - 30)
    program.refresh()
    program.submit(ada, 0, 5)
    worker.clock.advance(60)
    worker.run(1, program)
    seat.refresh_from_db()
    assert seat.status == SeatStatus.PLAYING
    worker.clock.advance(ALONE_LIMIT.total_seconds())
    worker.run(1, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.ALONE


@pytest.mark.long
def test_bot_leaves_a_full_room(program: Program, worker: RoomsWorker) -> None:
    room = program.room(duration=30, userCount=1)
    seat = worker.seat(room, worker.bot(lambda request: ScriptedTurn([30], takes=1)))
    worker.run(0.5, program)
    program.submit(program.player(), room, 5)
    worker.run(3, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.FULL
