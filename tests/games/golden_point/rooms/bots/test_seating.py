"""Seating bots in rooms: limits, names, the notified worker, and the data that is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.models import BotSeat, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.rounds.retention import delete_logs
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.platform.jobs.stalled import StallDetector
from arena.platform.retention import DeletionResult
from tests import factories
from tests.games.golden_point.rooms.bots.answers import answer_always
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_seat_is_announced_once_while_a_worker_serves_it(program: Program, worker: RoomsWorker) -> None:
    room = program.room(duration=5)
    worker.seat(room, worker.bot(answer_always(30)))
    worker.run(1, program)
    late = worker.seat(room, worker.bot(answer_always(40)))
    seating.wake_workers([late.pk], now=worker.clock())
    worker.clock.advance(60)
    seating.sweep(StallDetector(seating.JOBS), now=worker.clock())
    late.refresh_from_db()
    assert late.woken_at == worker.clock() - timedelta(seconds=60)
    BotSeat.objects.exclude(pk=late.pk).update(status=SeatStatus.WAITING)
    seating.sweep(StallDetector(seating.JOBS), now=worker.clock())
    late.refresh_from_db()
    assert late.woken_at == worker.clock()


def test_number_of_bots_per_room_and_person_is_limited(worker: RoomsWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [services.create_room(NewRoom(RoomTerms()), worker.clock()) for _ in range(2)]
    monkeypatch.setattr(seating, "MAX_SEATS_PER_ROOM", 3)
    monkeypatch.setattr(seating, "MAX_SEATS_PER_PERSON", 2)
    person = factories.person()
    bots = [factories.bot(person, seating.GAME) for _ in range(3)]
    for bot in bots[:2]:
        seating.seat_bot(rooms[0], bot.pk, person, now=worker.clock())
    with expect_refusal("too_many_own_bots"):
        seating.seat_bot(rooms[1], bots[2].pk, person, now=worker.clock())
    worker.seat(rooms[0], worker.bot(answer_always(5)))
    with expect_refusal("too_many_bots"):
        worker.seat(rooms[0], worker.bot(answer_always(5)))
    retired = factories.bot(game=seating.GAME)
    retired.retired = True
    retired.save()
    for unfit in (retired, factories.bot()):
        with expect_refusal("no_version"):
            seating.seat_bot(rooms[1], unfit.pk, unfit.owner, now=worker.clock())


@pytest.mark.parametrize("name", ["House trend", "HouseTrend", "House 0.618 x last"])
def test_bot_with_name_like_a_house_bot_is_rejected(worker: RoomsWorker, name: str) -> None:
    room = services.create_room(NewRoom(RoomTerms()), worker.clock())
    bot = factories.bot(game=seating.GAME, name=name)
    with expect_refusal("house_name"):
        seating.seat_bot(room, bot.pk, bot.owner, now=worker.clock())
    assert not BotSeat.objects.exists()


def test_old_logs_are_deleted_but_reasons_are_kept(worker: RoomsWorker) -> None:
    room = services.create_room(NewRoom(RoomTerms()), worker.clock())
    old, young, playing = (worker.seat(room, worker.bot(answer_always(5))) for _ in range(3))
    for seat, days in ((old, 40), (young, 20)):
        ended = {
            "status": SeatStatus.ENDED,
            "ended_by": SeatEnd.FAULT,
            "ended_at": worker.clock() - timedelta(days=days),
        }
        BotSeat.objects.filter(pk=seat.pk).update(log=b"hello", diagnosis={"kind": "crash"}, **ended)
    BotSeat.objects.filter(pk=playing.pk).update(log=b"hello")
    before = worker.clock() - timedelta(days=30)
    assert delete_logs(before, 10) == DeletionResult(rows=1, freed=5)
    assert delete_logs(before, 10) == DeletionResult(rows=0, freed=0)
    assert [bytes(seat.log) for seat in BotSeat.objects.order_by("pk")] == [b"", b"hello", b"hello"]
    old.refresh_from_db()
    assert old.diagnosis == {"kind": "crash"}
    assert old.log_deleted_at
