"""A bot in a room learns its seat and the rounds since its last request, and its answers count as picks."""

from __future__ import annotations

import pytest

from arena.core.referee.testing import ScriptedTurn
from arena.games.golden_point.rooms import owner_services
from arena.games.golden_point.rooms.models import RoomPlayer, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rules import RoomTerms
from tests import factories
from tests.games.golden_point.rooms.bots.answers import answer_always, move_requests, round_history, unpack_numbers
from tests.games.golden_point.rooms.bots.rooms_worker import RoomsWorker
from tests.games.golden_point.rooms.program import Program

pytestmark = pytest.mark.django_db


def test_bot_plays_every_round_and_is_constructed_once(program: Program, worker: RoomsWorker) -> None:
    room, ada = program.room(duration=5, numbers=2), program.player("Ada")
    program.submit(ada, room, 40, 50)
    worker.seat(room, worker.bot(answer_always(12.5, 1e-5)))
    worker.run(16, program)
    played = round_history(program, room)
    assert [len(each["userNumbers"]) for each in played] == [1, 1, 2]
    assert played[-1]["userNumbers"][1]["masterNumber"] == 12.5
    assert played[-1]["userNumbers"][1]["slaveNumber"] == 1e-5
    assert len(worker.started) == 1
    assert [request["do"] for request in worker.started[0].requests][:4] == ["load", "import", "construct", "move"]
    assert len(move_requests(worker)) == 4
    assert RoomPlayer.objects.count() == 2


@pytest.mark.long
def test_bot_receives_rounds_scores_and_its_seat(program: Program, worker: RoomsWorker) -> None:
    room, ada, bob = program.room(duration=5, roundCount=10), program.player("Ada"), program.player("Bob")
    for number in (10, 20):
        program.submit(ada, room, number)
        worker.clock.advance(5)
        program.refresh()
    seat = worker.seat(room, worker.bot(answer_always(30)))
    worker.run(1, program)
    program.submit(bob, room, 40)
    worker.run(10, program)
    first, second, third = move_requests(worker)
    assert [unpack_numbers(missed) for missed in first["shared"]["missed"]] == [[10], [20]]
    assert first["shared"]["missed"][1]["golden"] == 0.618 * 20
    assert (first["shared"]["round"], first["shared"]["rounds"], first["shared"]["players"]) == (3, 10, 2)
    assert (first["own"]["seat"], first["own"]["score"]) == (1, 0)
    (missed,) = second["shared"]["missed"]
    assert (unpack_numbers(missed), missed["silent"]) == ([30, 40], [0])
    assert (second["shared"]["round"], second["shared"]["players"]) == (4, 3)
    assert second["own"] == {"seat": 1, "score": 2}
    assert (third["shared"]["round"], third["shared"]["rounds"]) == (5, 10)
    assert seat.player.nickname == seat.submission.bot.name


@pytest.mark.long
def test_bot_counts_towards_closing_a_round_of_a_limited_room(program: Program, worker: RoomsWorker) -> None:
    room, ada = program.room(duration=60, userCount=2), program.player("Ada")
    worker.seat(room, worker.bot(answer_always(30)))
    worker.run(1, program)
    program.submit(ada, room, 40)
    assert len(round_history(program, room)) == 1
    worker.run(1, program)
    assert program.get_ok("/api/State", roomid=room)["currentUserCount"] == 2
    program.submit(ada, room, 40)
    assert len(round_history(program, room)) == 2


@pytest.mark.long
def test_bot_can_play_in_a_room_with_token(program: Program, worker: RoomsWorker) -> None:
    owner = factories.person()
    room = owner_services.create(owner, RoomPlan(RoomTerms(seconds=5), token="geheim"), now=worker.clock())
    worker.seat(room, worker.bot(answer_always(30)))
    worker.run(6, program)
    assert len(round_history(program, room)) == 1


@pytest.mark.long
def test_bot_waits_for_its_room_to_start(program: Program, worker: RoomsWorker) -> None:
    creator = program.player()
    room = program.room(uid=creator, duration=5, manuallyStart=1)
    seat = worker.seat(room, worker.bot(answer_always(30)))
    worker.run(2, program)
    seat.refresh_from_db()
    assert (seat.status, worker.started) == (SeatStatus.WAITING, [])
    program.get_ok("/api/StartGame", uid=creator, roomid=room)
    worker.run(6, program)
    assert len(round_history(program, room)) == 1


@pytest.mark.long
def test_late_answer_is_not_a_fault(program: Program, worker: RoomsWorker) -> None:
    room, ada = program.room(duration=3), program.player("Ada")
    seat = worker.seat(room, worker.bot(answer_always(30), start={"import": ScriptedTurn(takes=4)}))
    program.submit(ada, room, 40)
    worker.run(8, program)
    seat.refresh_from_db()
    assert seat.status == SeatStatus.PLAYING
    assert [len(each["userNumbers"]) for each in round_history(program, room)] == [1, 1]
    assert len(move_requests(worker)) >= 2


@pytest.mark.long
def test_third_illegal_answer_in_a_turn_ends_the_session(program: Program, worker: RoomsWorker) -> None:
    room = program.room(duration=20)
    answers = iter([150, 30, -1, -2, -3])
    seat = worker.seat(room, worker.bot(lambda request: ScriptedTurn(next(answers))))
    worker.run(21, program)
    assert round_history(program, room)[0]["userNumbers"][0]["masterNumber"] == 30
    worker.run(1, program)
    seat.refresh_from_db()
    assert (seat.status, seat.ended_by) == (SeatStatus.ENDED, SeatEnd.FAULT)
    assert seat.diagnosis["kind"] == "illegal_move"
    assert "-3" in seat.diagnosis["message"]
    assert worker.started[0].closed
