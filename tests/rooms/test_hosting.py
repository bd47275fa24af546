"""Bots that sit in rooms: what they are told, what becomes of what they answer, and how a stay ends."""

from __future__ import annotations

import struct
from base64 import b64decode
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from arena.leases.services import LEASE
from arena.leases.watch import Watch
from arena.notifications.models import Notification
from arena.notifications.texts import text_of
from arena.referee.testing import Turn
from arena.rooms import owning, seating, services
from arena.rooms.hosting import AGAIN, ALONE, MOST_BOTS
from arena.rooms.live_json import FALLEN_LATELY
from arena.rooms.live_snapshots import snapshot
from arena.rooms.models import BotSeat, Room, RoomPlayer, SeatEnd, SeatStatus
from arena.rooms.owning import RoomPlan
from arena.rooms.rules import Terms
from arena.rooms.services import NewRoom
from tests import factories
from tests.rooms.program import Program
from tests.rooms.table import RoomsClock, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock() -> RoomsClock:
    return RoomsClock()


@pytest.fixture
def table(clock: RoomsClock) -> Table:
    return Table(clock)


def always(*numbers: float) -> Any:
    return lambda request: Turn(list(numbers))


def moves(table: Table, player: int = 0) -> list[dict[str, Any]]:
    """What a bot was asked, in its turns."""
    return [request for request in table.started[player].requests if request["do"] == "move"]


def numbers_of(told: dict[str, Any]) -> list[float]:
    data = b64decode(told["numbers"])
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def history(program: Program, room: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.good("/api/History", roomid=room, count=100)["rounds"]
    return found


# --- playing


def test_a_bot_plays_every_round_like_everybody_and_is_constructed_once(program: Program, table: Table) -> None:
    room, ada = program.room(duration=5, numbers=2), program.player("Ada")
    program.submit(ada, room, 40, 50)
    table.seat(room, table.bot(always(12.5, 1e-5)))
    table.run(16, program)
    played = history(program, room)
    assert [len(each["userNumbers"]) for each in played] == [1, 1, 2]
    assert played[-1]["userNumbers"][1]["masterNumber"] == 12.5
    assert played[-1]["userNumbers"][1]["slaveNumber"] == 1e-5
    assert len(table.started) == 1
    assert [request["do"] for request in table.started[0].requests][:4] == ["load", "import", "construct", "move"]
    assert len(moves(table)) == 4
    assert RoomPlayer.objects.count() == 2


def test_what_a_bot_is_told(program: Program, table: Table) -> None:
    room, ada, bob = program.room(duration=5, roundCount=10), program.player("Ada"), program.player("Bob")
    for number in (10, 20):
        program.submit(ada, room, number)
        table.clock.go_on(5)
        program.look()
    seat = table.seat(room, table.bot(always(30)))
    table.run(1, program)
    program.submit(bob, room, 40)
    table.run(10, program)
    first, second, third = moves(table)
    assert [numbers_of(told) for told in first["shared"]["missed"]] == [[10], [20]]
    assert first["shared"]["missed"][1]["golden"] == 0.618 * 20
    assert (first["shared"]["round"], first["shared"]["rounds"], first["shared"]["players"]) == (3, 10, 2)
    assert (first["own"]["seat"], first["own"]["score"]) == (1, 0)
    (told,) = second["shared"]["missed"]
    assert (numbers_of(told), told["silent"]) == ([30, 40], [0])
    assert (second["shared"]["round"], second["shared"]["players"]) == (4, 3)
    assert second["own"] == {"seat": 1, "score": 2}
    assert (third["shared"]["round"], third["shared"]["rounds"]) == (5, 10)
    assert seat.player.nickname == seat.submission.bot.name


def test_in_a_room_with_places_a_bot_is_one_of_those_who_close_a_round(program: Program, table: Table) -> None:
    room, ada = program.room(duration=60, userCount=2), program.player("Ada")
    table.seat(room, table.bot(always(30)))
    table.run(1, program)
    program.submit(ada, room, 40)
    assert len(history(program, room)) == 1
    table.run(1, program)
    assert program.good("/api/State", roomid=room)["currentUserCount"] == 2
    program.submit(ada, room, 40)
    assert len(history(program, room)) == 2


def test_a_bot_proves_the_token_of_its_room(program: Program, table: Table) -> None:
    owner = factories.person()
    room = owning.create(owner, RoomPlan(Terms(seconds=5), token="geheim"), now=table.clock())
    table.seat(room, table.bot(always(30)))
    table.run(6, program)
    assert len(history(program, room)) == 1


def test_a_bot_waits_for_the_start_of_its_room(program: Program, table: Table) -> None:
    creator = program.player()
    room = program.room(uid=creator, duration=5, manuallyStart=1)
    seat = table.seat(room, table.bot(always(30)))
    table.run(2, program)
    seat.refresh_from_db()
    assert (seat.status, table.started) == (SeatStatus.WAITING, [])
    program.good("/api/StartGame", uid=creator, roomid=room)
    table.run(6, program)
    assert len(history(program, room)) == 1


def test_an_answer_that_comes_too_late_is_no_fault(program: Program, table: Table) -> None:
    room, ada = program.room(duration=3), program.player("Ada")
    seat = table.seat(room, table.bot(always(30), start={"import": Turn(takes=4)}))
    program.submit(ada, room, 40)
    table.run(8, program)
    seat.refresh_from_db()
    assert seat.status == SeatStatus.PLAYING
    assert [len(each["userNumbers"]) for each in history(program, room)] == [1, 1]
    assert len(moves(table)) >= 2


def test_an_illegal_answer_is_asked_again_and_the_third_ends_the_stay(program: Program, table: Table) -> None:
    room = program.room(duration=20)
    answers = iter([150, 30, -1, -2, -3])
    seat = table.seat(room, table.bot(lambda request: Turn(next(answers))))
    table.run(21, program)
    assert history(program, room)[0]["userNumbers"][0]["masterNumber"] == 30
    table.run(1, program)
    seat.refresh_from_db()
    assert (seat.status, seat.ended_by) == (SeatStatus.ENDED, SeatEnd.FAULT)
    assert seat.diagnosis["kind"] == "illegal_move"
    assert "-3" in seat.diagnosis["message"]
    assert table.started[0].closed


# --- how a stay ends


@pytest.mark.parametrize(
    ("turn", "kind", "word"),
    [
        (Turn(takes=2), "timeout", "longer than 1.5 s"),
        (Turn(raw=b"nonsense"), "bad_message", ""),
        (
            Turn(failed={"cause": "exception", "message": "ZeroDivisionError", "line": 3}, prints=b"so far"),
            *("crash", "ZeroDivisionError"),
        ),
    ],
)
def test_a_fault_ends_the_stay_and_tells_the_author(
    program: Program, table: Table, turn: Turn, kind: str, word: str
) -> None:
    room = program.room(duration=3)
    seat = table.seat(room, table.bot(lambda request: turn))
    table.run(2.5, program)
    seat.refresh_from_db()
    assert (seat.status, seat.ended_by, seat.ended_at is None) == (SeatStatus.ENDED, SeatEnd.FAULT, False)
    assert seat.diagnosis["kind"] == kind
    assert word in seat.diagnosis["message"]
    assert bytes(seat.log) == turn.prints
    assert table.started[0].closed
    table.run(5, program)
    assert len(table.started) == 1


def test_everybody_at_the_table_sees_for_a_while_that_a_bot_fell_out(program: Program, table: Table) -> None:
    room, bot = program.room(duration=20), table.bot(lambda request: Turn(takes=9))

    def fallen() -> Any:
        found = snapshot(room, table.clock())
        assert found
        return found["room"]["fallen"]

    seat = table.seat(room, bot)
    table.run(12, program)
    room_row = Room.objects.get(number=room)
    assert (room_row.version, fallen()) == (room_row.event_version, [[seat.pk, bot.pk, bot.name, "timeout"]])
    told = Notification.objects.get(recipient=bot.owner)
    assert text_of(told.kind, told.context).path == f"/rooms/seats/{seat.pk}/"
    again = table.seat(room, bot)
    Room.objects.update(event_seq=F("event_seq") + 1)  # another event: snapshots are kept until there is one
    assert fallen() == []
    table.run(12, program)
    assert fallen() == [[again.pk, bot.pk, bot.name, "timeout"]]
    table.clock.go_on(FALLEN_LATELY.total_seconds() + 20)
    program.look()
    assert fallen() == []


def test_a_bot_that_cannot_start_is_out_before_it_took_a_place(program: Program, table: Table) -> None:
    room = program.room(duration=30, userCount=2)
    failed = {"cause": "syntax", "message": "SyntaxError: invalid syntax"}
    seat = table.seat(room, table.bot(always(5), start={"load": Turn(failed=failed)}))
    table.run(1, program)
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis["turn"]) == (SeatEnd.FAULT, 0)
    assert not RoomPlayer.objects.exists()


def test_whoever_takes_it_from_the_table_ends_it_at_once(program: Program, table: Table) -> None:
    seat = table.seat(program.room(duration=30), table.bot(always(30)))
    table.run(1, program)
    seating.take_away(seat.pk, now=table.clock())
    table.run(1, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.TAKEN
    assert table.started[0].closed
    assert not seating.take_away(seat.pk, now=table.clock())


def test_the_end_of_the_room_is_the_end_of_the_stay(program: Program, table: Table) -> None:
    seat = table.seat(program.room(duration=3, roundCount=2), table.bot(always(30)))
    table.run(10, program)
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis) == (SeatEnd.OVER, None)
    assert table.started[0].closed


def test_bots_among_themselves_leave_after_a_while(program: Program, table: Table) -> None:
    services.open_always(table.clock())
    seat, ada = table.seat(0, table.bot(always(30))), program.player("Ada")
    table.run(1, program)
    table.clock.go_on(ALONE.total_seconds() - 30)
    program.look()
    program.submit(ada, 0, 5)
    table.clock.go_on(60)
    table.run(1, program)
    seat.refresh_from_db()
    assert seat.status == SeatStatus.PLAYING
    table.clock.go_on(ALONE.total_seconds())
    table.run(1, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.ALONE


def test_a_bot_that_finds_the_room_full_leaves(program: Program, table: Table) -> None:
    room = program.room(duration=30, userCount=1)
    seat = table.seat(room, table.bot(lambda request: Turn([30], takes=1)))
    table.run(0.5, program)
    program.submit(program.player(), room, 5)
    table.run(3, program)
    seat.refresh_from_db()
    assert seat.ended_by == SeatEnd.FULL


# --- workers


def test_a_bot_whose_worker_died_begins_afresh_on_another_as_the_same_player(program: Program, table: Table) -> None:
    room = program.room(duration=5)
    seat = table.seat(room, table.bot(always(30)))
    ticks = [0.0]
    watch = Watch(seating.LANE, clock=lambda: ticks[0])
    table.run(6, program)
    first, table.host = table.host, table.worker("host:7:8")
    for _ in range(4):
        ticks[0] += LEASE.total_seconds() / 2
        seating.sweep(watch, now=table.clock())
    table.run(6, program)
    seat.refresh_from_db()
    assert (seat.status, seat.worker, len(table.started)) == (SeatStatus.PLAYING, "host:7:8", 2)
    assert RoomPlayer.objects.count() == 1
    assert len(moves(table, 1)[0]["shared"]["missed"]) >= 1
    first.turn()  # it was only stopped: what it holds is somebody else's now
    assert table.started[0].closed
    seat.refresh_from_db()
    assert (seat.status, seat.worker) == (SeatStatus.PLAYING, "host:7:8")


def test_a_failure_of_ours_is_tried_again_and_never_the_bots_fault(program: Program, table: Table) -> None:
    seat = table.seat(program.room(duration=5), table.bot(always(30), breaks=True))
    for attempt in range(3):
        table.run(1, program)
        seat.refresh_from_db()
        assert (seat.status, seat.attempts, seat.failure) == (
            *(SeatStatus.WAITING, attempt + 1),
            "The sandbox is broken.",
        )
        table.clock.go_on(AGAIN.total_seconds())
    seating.sweep(Watch(seating.LANE), now=table.clock())
    seat.refresh_from_db()
    assert (seat.ended_by, seat.diagnosis) == (SeatEnd.FAILED, None)


def test_a_bot_that_plays_has_its_other_attempts_again(program: Program, table: Table) -> None:
    seat = table.seat(program.room(duration=5), table.bot(always(30)))
    BotSeat.objects.update(attempts=2)
    table.run(1, program)
    seat.refresh_from_db()
    assert (seat.status, seat.attempts) == (SeatStatus.PLAYING, 1)


def test_a_worker_that_ends_gives_its_bots_back_uncounted(program: Program, table: Table) -> None:
    seat = table.seat(program.room(duration=5), table.bot(always(30)))
    table.run(1, program)
    table.stopping = True
    table.host.run()
    seat.refresh_from_db()
    assert (seat.status, seat.attempts) == (SeatStatus.WAITING, 0)
    assert table.started[0].closed


def test_a_worker_without_bots_goes_home(table: Table) -> None:
    table.host.run()
    assert table.clock.fake.time < 60


def test_one_process_runs_so_many_bots_and_the_others_wait(
    program: Program, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rooms.hosting.MOST_BOTS", 2)
    room = program.room(duration=5)
    seats = [table.seat(room, table.bot(always(number))) for number in (10, 20, 30)]
    table.run(6, program)
    assert len(history(program, room)[0]["userNumbers"]) == 2
    seating.take_away(seats[0].pk, now=table.clock())
    table.run(6, program)
    assert BotSeat.objects.get(pk=seats[2].pk).status == SeatStatus.PLAYING
    assert MOST_BOTS > 2


def test_a_bot_begins_anew_when_it_was_told_as_much_as_a_match_holds(
    program: Program, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rooms.stay.MOST_TURNS", 2)
    monkeypatch.setattr("arena.rooms.telling.MOST_TOLD", 1)
    room = program.room(duration=3)
    table.seat(room, table.bot(always(30)))
    table.run(13, program)
    assert len(table.started) == 2
    assert [len(each["userNumbers"]) for each in history(program, room)] == [1] * 4
    assert RoomPlayer.objects.count() == 1


# --- seating


def test_a_seat_is_announced_once_while_some_worker_serves(program: Program, table: Table) -> None:
    room = program.room(duration=5)
    table.seat(room, table.bot(always(30)))
    table.run(1, program)
    late = table.seat(room, table.bot(always(40)))
    seating.wake([late.pk], now=table.clock())
    table.clock.go_on(60)
    seating.sweep(Watch(seating.LANE), now=table.clock())
    late.refresh_from_db()
    assert late.woken_at == table.clock() - timedelta(seconds=60)
    BotSeat.objects.exclude(pk=late.pk).update(status=SeatStatus.WAITING)
    seating.sweep(Watch(seating.LANE), now=table.clock())
    late.refresh_from_db()
    assert late.woken_at == table.clock()


def test_a_table_and_a_person_have_so_many_bots(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [services.create_room(NewRoom(Terms()), table.clock()) for _ in range(2)]
    monkeypatch.setattr(seating, "MOST_A_ROOM", 3)
    monkeypatch.setattr(seating, "MOST_A_PERSON", 2)
    person = factories.person()
    bots = [factories.bot(person, seating.GAME) for _ in range(3)]
    for bot in bots[:2]:
        seating.seat(rooms[0], bot.pk, person, now=table.clock())
    with pytest.raises(seating.SeatRefused, match="2 bots that you seated"):
        seating.seat(rooms[1], bots[2].pk, person, now=table.clock())
    table.seat(rooms[0], table.bot(always(5)))
    with pytest.raises(seating.SeatRefused, match="3 bots sit at this table"):
        table.seat(rooms[0], table.bot(always(5)))
    retired = factories.bot(game=seating.GAME)
    retired.retired = True
    retired.save()
    for unfit in (retired, factories.bot()):
        with pytest.raises(seating.SeatRefused, match="cannot play now"):
            seating.seat(rooms[1], unfit.pk, unfit.owner, now=table.clock())
