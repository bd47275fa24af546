"""The interface lists today's golden numbers, submitted numbers and scores, and the history of closed rounds."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from tests.games.golden_point.rooms.program import Clock, Program


def test_today_golden_list_returns_todays_rounds(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    for number in (10, 20, 30):
        program.submit(uid, room, number)
        clock.advance(3)
        program.refresh()
    whole = [0.618 * number for number in (10, 20, 30)]
    for count, expected in (("", whole), (-1, whole), (2, whole[1:]), (0, []), (100, whole)):
        body = program.get_ok("/api/TodayGoldenList", roomid=room, roundCount=count)
        assert body == {"roomId": room, "goldenNumberList": expected}
    assert program.refusal_message(program.get("/api/TodayGoldenList", roomid=room, roundCount=-2))


def test_today_numbers_of_limited_room_have_a_row_per_seat(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3, userCount=3), program.player()
    program.submit(uid, room, 10)
    clock.advance(3)
    program.refresh()
    body = program.get_ok("/api/TodayNumbers", roomid=room)
    assert (body["roomId"], body["validNumbers"]) == (room, 1)
    assert body["numberList"] == [
        {"userIndex": user, "roundIndex": 1, "number1": first, "number2": 0}
        for user, first in ((0, 10), (1, 0), (2, 0))
    ]
    assert program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 10]


def test_lists_of_a_new_room_are_empty(program: Program) -> None:
    room = program.room()
    assert program.get_ok("/api/TodayNumbers", roomid=room)["numberList"] == []
    assert program.get_ok("/api/TodayScore", roomid=room) == {"date": "2026-03-04T00:00:00+00:00", "scoreList": []}
    assert program.get_ok("/api/History", roomid=room) == {"rounds": [], "nickNames": {}}


def test_today_starts_at_midnight_in_the_sites_time_zone(program: Program, settings: object) -> None:
    settings.TIME_ZONE = "Asia/Shanghai"  # type: ignore[attr-defined]
    program.clock.now = datetime(2026, 3, 4, 15, 59, 56, tzinfo=UTC)  # 23:59:56 in Shanghai
    room, uid = program.room(duration=3), program.player()
    program.submit(uid, room, 10)
    program.clock.advance(3)
    program.refresh()
    assert program.get_ok("/api/TodayScore", roomid=room)["date"] == "2026-03-04T00:00:00+08:00"
    assert program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 10]
    program.clock.advance(3)
    program.refresh()
    assert program.get_ok("/api/TodayScore", roomid=room) == {"date": "2026-03-05T00:00:00+08:00", "scoreList": []}
    assert program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == []
    assert program.get_ok("/api/TodayNumbers", roomid=room)["numberList"] == []
    assert len(program.get_ok("/api/History", roomid=room)["rounds"]) == 1
    assert program.get_ok("/api/State", roomid=room)["finishedRoundCount"] == 1


@pytest.mark.long
def test_history_returns_closed_rounds(program: Program, clock: Clock) -> None:
    room, ada, bob = program.room(duration=3), program.player("Ada"), program.player("Bob")
    rids = []
    for number in range(12):
        rids.append(program.round(room))
        program.submit(ada, room, 10 + number)
        if number == 0:
            program.submit(bob, room, 20)
        clock.advance(3)
        program.refresh()
    body = program.get_ok("/api/History", roomid=room)
    assert [played["roundId"] for played in body["rounds"]] == rids[:1:-1]
    assert body["nickNames"] == {ada: "Ada"}
    newest = body["rounds"][0]
    assert list(newest) == ["roundId", "index", "time", "goldenNumber", "userNumbers"]
    assert newest["userNumbers"] == [{"userId": ada, "masterNumber": 21, "slaveNumber": 0, "score": 0}]
    assert datetime.fromisoformat(newest["time"]) == clock()
    older = program.get_ok("/api/History", roomid=room, startrid=rids[2], count=100)
    assert [played["roundId"] for played in older["rounds"]] == [rids[1], rids[0]]
    assert older["nickNames"] == {ada: "Ada", bob: "Bob"}
    newer = program.get_ok("/api/History", roomid=room, startrid=rids[2], count=2, direction=1)
    assert [played["roundId"] for played in newer["rounds"]] == [rids[3], rids[4]]
    assert len(program.get_ok("/api/History", roomid=room, count=1000)["rounds"]) == 12
    assert program.get_ok("/api/History", roomid=room, direction=1)["rounds"] == []


def test_history_can_start_at_empty_round_but_not_at_unknown_one(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    program.submit(uid, room, 5)
    clock.advance(3)
    program.refresh()
    empty = program.round(room)
    clock.advance(3)
    program.refresh()
    assert len(program.get_ok("/api/History", roomid=room, startrid=empty)["rounds"]) == 1
    for foreign in ("x", str(uuid.uuid4()), program.round(program.room())):
        assert program.refusal_message(program.get("/api/History", roomid=room, startrid=foreign))
