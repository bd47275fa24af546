"""Workers that run bots in rooms: how they stop, how they fail, and how many bots each takes."""

from __future__ import annotations

import pytest

from arena.core.referee.testing import SCRIPTED_FAILURE
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.bots.hosting import MAX_BOTS, RETRY_DELAY
from arena.games.golden_point.rooms.models import BotSeat, RoomPlayer, SeatEnd, SeatStatus
from arena.platform.jobs.lifecycle import LEASE
from arena.platform.jobs.stalled import StallDetector
from tests.games.golden_point.rooms.bots.answers import answer_always, move_requests, round_history
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_bot_of_dead_worker_restarts_elsewhere_as_the_same_player(program: Program, worker: RoomsWorker) -> None:
    room = program.room(duration=5)
    seat = worker.seat(room, worker.bot(answer_always(30)))
    ticks = [0.0]
    detector = StallDetector(seating.JOBS, clock=lambda: ticks[0])
    worker.run(6, program)
    first, worker.host = worker.host, worker.create_host("host:7:8")
    for _ in range(4):
        ticks[0] += LEASE.total_seconds() / 2
        seating.sweep(detector, now=worker.clock())
    worker.run(6, program)
    seat.refresh_from_db()
    assert (seat.status, seat.worker, len(worker.started)) == (SeatStatus.PLAYING, "host:7:8", 2)
    assert RoomPlayer.objects.count() == 1
    assert len(move_requests(worker, 1)[0]["shared"]["missed"]) >= 1
    first.run_once()  # the first worker was only suspended; its seats now belong to another worker
    assert worker.started[0].closed
    seat.refresh_from_db()
    assert (seat.status, seat.worker) == (SeatStatus.PLAYING, "host:7:8")


@pytest.mark.long
def test_arena_failure_is_retried_and_not_blamed_on_the_bot(program: Program, worker: RoomsWorker) -> None:
    seat = worker.seat(program.room(duration=5), worker.bot(answer_always(30), breaks=True))
    for attempt in range(2):
        worker.run(1, program)
        seat.refresh_from_db()
        assert (seat.status, seat.attempts, seat.failure_text) == (
            *(SeatStatus.WAITING, attempt + 1),
            SCRIPTED_FAILURE,
        )
        worker.clock.advance(RETRY_DELAY.total_seconds())
    worker.run(1, program)
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis, seat.failure_text) == (SeatEnd.FAILED, None, SCRIPTED_FAILURE)


def test_playing_bot_regains_its_attempts(program: Program, worker: RoomsWorker) -> None:
    seat = worker.seat(program.room(duration=5), worker.bot(answer_always(30)))
    BotSeat.objects.update(attempts=2)
    worker.run(1, program)
    seat.refresh_from_db()
    assert (seat.status, seat.attempts) == (SeatStatus.PLAYING, 1)


@pytest.mark.long
def test_stopping_worker_releases_its_bots_without_an_attempt(program: Program, worker: RoomsWorker) -> None:
    seat = worker.seat(program.room(duration=5), worker.bot(answer_always(30)))
    worker.run(1, program)
    worker.stopping = True
    worker.host.run()
    seat.refresh_from_db()
    assert (seat.status, seat.attempts) == (SeatStatus.WAITING, 0)
    assert worker.started[0].closed


def test_worker_without_bots_exits(worker: RoomsWorker) -> None:
    worker.host.run()
    assert worker.clock.fake.time < 60


@pytest.mark.long
def test_number_of_bots_per_process_is_limited(
    program: Program, worker: RoomsWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.games.golden_point.rooms.bots.hosting.MAX_BOTS", 2)
    room = program.room(duration=5)
    seats = [worker.seat(room, worker.bot(answer_always(number))) for number in (10, 20, 30)]
    worker.run(6, program)
    assert len(round_history(program, room)[0]["userNumbers"]) == 2
    seating.remove_bot(seats[0].pk, now=worker.clock())
    worker.run(6, program)
    assert BotSeat.objects.get(pk=seats[2].pk).status == SeatStatus.PLAYING
    assert MAX_BOTS > 2


@pytest.mark.long
def test_bot_restarts_after_as_many_rounds_as_a_match_allows(
    program: Program, worker: RoomsWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.games.golden_point.rooms.bots.hosted_session.MAX_TURNS", 2)
    monkeypatch.setattr("arena.games.golden_point.rooms.bots.observations.MAX_OBSERVED", 1)
    room = program.room(duration=3)
    worker.seat(room, worker.bot(answer_always(30)))
    worker.run(13, program)
    assert len(worker.started) == 2
    assert [len(each["userNumbers"]) for each in round_history(program, room)] == [1] * 4
    assert RoomPlayer.objects.count() == 1
