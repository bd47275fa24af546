"""Programs create players and rooms; a room's state has every documented member."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.models import Pick, Player, Room, RoomRound
from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.program import Clock, Program

STATE = {
    "userId": str, "nickName": str, "roomId": int, "numbers": int, "duration": int, "roundId": str, "leftTime": int,
    "roundEndTime": str, "state": int, "hasSubmitted": bool, "isRoomCreator": bool, "maxUserCount": int,
    "currentUserCount": int, "totalRoundCount": int, "finishedRoundCount": int, "enabledToken": bool,
}  # fmt: skip


def count_rows() -> int:
    return sum(model.objects.count() for model in (Player, Room, RoomRound, Pick))


def test_new_user_returns_id_and_nickname(program: Program) -> None:
    body = program.get_ok("/api/NewUser", nickName="一二三四五六七八九十" * 3)
    assert list(body) == ["userId", "nickName"]
    assert str(uuid.UUID(body["userId"])) == body["userId"]
    assert body["nickName"] == "一二三四五六七八九十" * 2
    assert program.get_ok("/api/NewUser")["nickName"]
    assert program.get_ok("/api/User", uid=body["userId"]) == body


def test_user_and_nick_name_return_the_player(program: Program) -> None:
    uid = program.player("Ada")
    status, body = program.post("/api/NickName", uid=uid, nickName="Bob")
    assert (status, body) == (200, {"userId": uid, "nickName": "Bob"})
    assert program.get_ok("/api/User", uid=uid.upper())["nickName"] == "Bob"
    for unknown in ("", "x", str(uuid.uuid4())):
        assert program.refusal_message(program.get("/api/User", uid=unknown)) == "Invalid uid"
        assert program.refusal_message(program.post("/api/NickName", uid=unknown, nickName="x")) == "Invalid uid"
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName=" "))


def test_new_room_has_default_terms(program: Program) -> None:
    assert list(program.get_ok("/api/NewRoom")) == ["roomId"]
    state = program.get_ok("/api/State", roomid=program.room())
    assert (state["numbers"], state["duration"], state["state"]) == (1, 60, 0)
    assert (state["maxUserCount"], state["totalRoundCount"]) == (0, 0)


@pytest.mark.parametrize(
    "parameters",
    [
        *({"numbers": 0}, {"numbers": 3}, {"duration": 2}, {"duration": 201}, {"userCount": -1}, {"userCount": 201}),
        *({"roundCount": -1}, {"manuallyStart": 2}, {"manuallyStart": "yes"}, {"uid": "x"}),
        {"uid": str(uuid.UUID(int=5))},
    ],
)
def test_new_room_rejects_values_out_of_range(program: Program, parameters: dict[str, object]) -> None:
    before = count_rows()
    assert program.refusal_message(program.get("/api/NewRoom", **parameters))
    assert count_rows() == before


def test_only_the_creator_can_start_a_game(program: Program, clock: Clock) -> None:
    creator, other = program.player(), program.player()
    room = program.room(uid=creator, manuallyStart=1, duration=5)
    before = program.get_ok("/api/State", roomid=room, uid=creator)
    assert (before["state"], before["leftTime"], before["isRoomCreator"]) == (1, 0, True)
    assert not program.get_ok("/api/State", roomid=room, uid=other)["isRoomCreator"]
    assert program.refusal_message(program.submit(other, room, 5)) == Refusal.NOT_STARTED
    assert program.refusal_message(program.get("/api/StartGame", uid=other, roomid=room)) == Refusal.NOT_CREATOR
    assert program.get_ok("/api/StartGame", uid=creator, roomid=room) == {}
    after = program.get_ok("/api/State", roomid=room)
    assert (after["state"], after["leftTime"]) == (0, 5)
    assert after["roundId"] != before["roundId"]
    clock.advance(1)
    assert program.get_ok("/api/StartGame", uid=creator, roomid=room) == {}
    assert program.round(room) == after["roundId"]


def test_rooms_0_and_1_always_exist_with_house_bots(program: Program, clock: Clock) -> None:
    for _ in range(2):
        services.ensure_permanent_rooms(clock())
    for room, numbers in ((0, 1), (1, 2)):
        state = program.get_ok("/api/State", roomid=room)
        assert (state["numbers"], state["duration"], state["state"]) == (numbers, 60, 0)
    clock.advance(60)
    program.refresh()
    assert program.get_ok("/api/State", roomid="")["finishedRoundCount"] == 1
    played = program.get_ok("/api/History", roomid=1)["rounds"][0]["userNumbers"]
    assert len(played) >= 3
    assert all(0 < each["masterNumber"] < 100 and 0 < each["slaveNumber"] < 100 for each in played)
    assert program.room() == 2


def test_state_has_every_member_with_its_type(program: Program) -> None:
    body = program.get_ok("/api/State", uid="", roomid=program.room(duration=30))
    assert {name: type(value) for name, value in body.items()} == STATE
    assert datetime.fromisoformat(body["roundEndTime"]) == datetime(2026, 3, 4, 12, 0, 30, tzinfo=UTC)


def test_state_creates_a_user_for_requests_without_one(program: Program) -> None:
    room = program.room()
    state = program.get_ok("/api/State", roomid=room)
    assert state["nickName"]
    assert program.submit(state["userId"], room, 5) == (200, {})
    again = program.get_ok("/api/State", roomid=room, uid=state["userId"])
    assert (again["userId"], again["hasSubmitted"], again["currentUserCount"]) == (state["userId"], True, 1)
    assert uuid.UUID(program.get_ok("/api/State", roomid=room, uid=str(uuid.uuid4()))["userId"])
    assert uuid.UUID(program.get_ok("/api/State", roomid=room, uid="nonsense")["userId"])


def test_room_with_long_history_knows_players_and_submission_counts(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.games.golden_point.rooms.polling.snapshots.MAX_NAMES", 2)
    room, players = program.room(), [program.player(name) for name in ("Ada", "Bob", "Cleo", "Dora")]
    for played, uid in enumerate(players, start=1):
        program.submit(uid, room, 5)
        program.refresh()
        states = [program.get_ok("/api/State", roomid=room, uid=each) for each in players]
        assert {state["currentUserCount"] for state in states} == {played}
        assert [state["nickName"] for state in states] == ["Ada", "Bob", "Cleo", "Dora"]
        assert [state["hasSubmitted"] for state in states] == [True] * played + [False] * (4 - played)


def test_polling_stores_nothing(program: Program, clock: Clock) -> None:
    room, known = program.room(), program.player("Ada")
    before = count_rows()
    for uid in ("", "nonsense", str(uuid.uuid4()), known) * 5:
        program.get_ok("/api/State", roomid=room, uid=uid)
        clock.advance(0.2)
    assert count_rows() == before


def test_polling_a_cached_room_makes_no_queries(program: Program, django_assert_num_queries: object) -> None:
    room, uid = program.room(), program.player("Ada")
    program.submit(uid, room, 5)
    program.refresh()
    with django_assert_num_queries(0):  # type: ignore[operator]
        for _ in range(10):
            assert program.get_ok("/api/State", roomid=room, uid=uid)["nickName"] == "Ada"


def test_time_left_is_rounded_up_and_never_negative(program: Program, clock: Clock) -> None:
    room = program.room(duration=3)
    shown = []
    for _ in range(4):
        shown.append(program.get_ok("/api/State", roomid=room)["leftTime"])
        clock.advance(0.9)
    assert shown == [3, 3, 2, 1]
    clock.advance(10)
    assert program.get_ok("/api/State", roomid=room)["leftTime"] == 0
