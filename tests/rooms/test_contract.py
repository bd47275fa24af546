"""The interface, line by line, as the programs of the original server rely on it."""

from __future__ import annotations

import asyncio
import json
import uuid
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from asgiref.sync import async_to_sync

from arena.games.golden_point import score_round
from arena.rooms import services
from arena.rooms.models import Pick, Player, Room, RoomRound
from arena.rooms.rules import Refusal, Terms
from arena.rooms.services import NewRoom
from tests.rooms.program import Clock, Program

STATE = {
    "userId": str, "nickName": str, "roomId": int, "numbers": int, "duration": int, "roundId": str, "leftTime": int,
    "roundEndTime": str, "state": int, "hasSubmitted": bool, "isRoomCreator": bool, "maxUserCount": int,
    "currentUserCount": int, "totalRoundCount": int, "finishedRoundCount": int, "enabledToken": bool,
}  # fmt: skip


def rows() -> int:
    return sum(model.objects.count() for model in (Player, Room, RoomRound, Pick))


# --- general


@pytest.mark.parametrize("path", ["/api/state", "/API/State", "/api/State/", "//api/State", "/API//state"])
def test_paths_are_read_in_any_case_and_never_redirected(program: Program, path: str) -> None:
    room = program.room()
    assert program.good(path, ROOMID=room)["roomId"] == room
    assert not program.passed_on


@pytest.mark.parametrize("path", ["/api/", "/api/Unknown", "/apistate", "/matches/", "/api/state/x"])
def test_other_paths_go_on_to_the_site(program: Program, path: str) -> None:
    assert program.get(path)[0] == 404
    assert program.passed_on == [path]


@pytest.mark.parametrize("path", ["/swagger", "/Swagger/", "//swagger", "/SWAGGER/index.html"])
def test_the_page_to_try_it_is_found_like_the_operations(program: Program, path: str) -> None:
    program.get(path)
    assert program.passed_on == ["/swagger"]


def test_parameters_come_from_query_form_or_json_and_the_query_wins(program: Program) -> None:
    uid = program.player()
    body = f"uid={uid}&NICKNAME=Ada".encode()
    form = "application/x-www-form-urlencoded"
    assert program.call("POST", "/api/NickName", "", body, form)[1]["nickName"] == "Ada"
    assert program.call("POST", "/api/NickName", "nickname=Bob", body, form)[1]["nickName"] == "Bob"
    sent = json.dumps({"uid": uid, "nickName": "Cleo"}).encode()
    assert program.call("POST", "/api/NickName", "", sent, "application/json")[1]["nickName"] == "Cleo"
    parts = "".join(
        f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("uid", uid), ("nickName", "Dora"))
    )
    multipart = f"{parts}--B--\r\n".encode()
    assert (
        program.call("POST", "/api/NickName", "", multipart, "multipart/form-data; boundary=B")[1]["nickName"] == "Dora"
    )


@pytest.mark.parametrize("kind", ["", "application/json", "text/plain", "multipart/form-data", "nonsense"])
@pytest.mark.parametrize("body", [b"", b"not what it says \xff"])
def test_a_body_without_meaning_is_no_matter(program: Program, kind: str, body: bytes) -> None:
    query = f"uid={program.player()}&nickName=Ada"
    assert program.call("POST", "/api/NickName", query, body, kind)[1]["nickName"] == "Ada"


def test_errors_are_400_with_a_message_alone(program: Program) -> None:
    assert "no such room" in program.refused(program.get("/api/State", roomid=99))
    assert program.refused(program.get("/api/State", roomid="x"))
    assert program.refused(program.get("/api/State", roomid=-1))
    assert program.refused(program.get("/api/State", roomid=10**30))
    assert program.refused(program.get("/api/Submit"))
    assert program.refused(program.post("/api/State"))
    for path in ("TodayGoldenList", "TodayNumbers", "TodayScore", "History", "StartGame"):
        assert program.refused(program.get(f"/api/{path}", roomid=99)), path


def test_a_failure_of_ours_is_a_400_too(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(number: int) -> None:
        raise OSError("gone")

    program.desk.room = broken  # type: ignore[method-assign, assignment]
    assert "try again" in program.refused(program.get("/api/State"))
    assert "gone" in caplog.text


# --- players


def test_new_user(program: Program) -> None:
    body = program.good("/api/NewUser", nickName="一二三四五六七八九十" * 3)
    assert list(body) == ["userId", "nickName"]
    assert str(uuid.UUID(body["userId"])) == body["userId"]
    assert body["nickName"] == "一二三四五六七八九十" * 2
    assert program.good("/api/NewUser")["nickName"]
    assert program.good("/api/User", uid=body["userId"]) == body


def test_user_and_nick_name(program: Program) -> None:
    uid = program.player("Ada")
    status, body = program.post("/api/NickName", uid=uid, nickName="Bob")
    assert (status, body) == (200, {"userId": uid, "nickName": "Bob"})
    assert program.good("/api/User", uid=uid.upper())["nickName"] == "Bob"
    for unknown in ("", "x", str(uuid.uuid4())):
        assert program.refused(program.get("/api/User", uid=unknown)) == "Invalid uid"
        assert program.refused(program.post("/api/NickName", uid=unknown, nickName="x")) == "Invalid uid"
    assert program.refused(program.post("/api/NickName", uid=uid, nickName=" "))


# --- rooms


def test_new_room_has_the_usual_terms(program: Program) -> None:
    assert list(program.good("/api/NewRoom")) == ["roomId"]
    state = program.good("/api/State", roomid=program.room())
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
def test_new_room_refuses_what_is_out_of_range(program: Program, parameters: dict[str, object]) -> None:
    before = rows()
    assert program.refused(program.get("/api/NewRoom", **parameters))
    assert rows() == before


def test_start_game_is_the_creators(program: Program, clock: Clock) -> None:
    creator, other = program.player(), program.player()
    room = program.room(uid=creator, manuallyStart=1, duration=5)
    before = program.good("/api/State", roomid=room, uid=creator)
    assert (before["state"], before["leftTime"], before["isRoomCreator"]) == (1, 0, True)
    assert not program.good("/api/State", roomid=room, uid=other)["isRoomCreator"]
    assert program.refused(program.submit(other, room, 5)) == Refusal.NOT_STARTED
    assert program.refused(program.get("/api/StartGame", uid=other, roomid=room)) == Refusal.NOT_CREATOR
    assert program.good("/api/StartGame", uid=creator, roomid=room) == {}
    after = program.good("/api/State", roomid=room)
    assert (after["state"], after["leftTime"]) == (0, 5)
    assert after["roundId"] != before["roundId"]
    clock.go_on(1)
    assert program.good("/api/StartGame", uid=creator, roomid=room) == {}
    assert program.round(room) == after["roundId"]


def test_rooms_0_and_1_always_exist_with_house_bots(program: Program, clock: Clock) -> None:
    for _ in range(2):
        services.open_always(clock())
    for room, numbers in ((0, 1), (1, 2)):
        state = program.good("/api/State", roomid=room)
        assert (state["numbers"], state["duration"], state["state"]) == (numbers, 60, 0)
    clock.go_on(60)
    program.look()
    assert program.good("/api/State", roomid="")["finishedRoundCount"] == 1
    played = program.good("/api/History", roomid=1)["rounds"][0]["userNumbers"]
    assert len(played) >= 3
    assert all(0 < each["masterNumber"] < 100 and 0 < each["slaveNumber"] < 100 for each in played)
    assert program.room() == 2


# --- state


def test_state_has_every_member_with_its_type(program: Program) -> None:
    body = program.good("/api/State", uid="", roomid=program.room(duration=30))
    assert {name: type(value) for name, value in body.items()} == STATE
    assert datetime.fromisoformat(body["roundEndTime"]) == datetime(2026, 3, 4, 12, 0, 30, tzinfo=UTC)


def test_state_gives_a_user_to_one_that_has_none(program: Program) -> None:
    room = program.room()
    given = program.good("/api/State", roomid=room)
    assert given["nickName"]
    assert program.submit(given["userId"], room, 5) == (200, {})
    again = program.good("/api/State", roomid=room, uid=given["userId"])
    assert (again["userId"], again["hasSubmitted"], again["currentUserCount"]) == (given["userId"], True, 1)
    assert uuid.UUID(program.good("/api/State", roomid=room, uid=str(uuid.uuid4()))["userId"])
    assert uuid.UUID(program.good("/api/State", roomid=room, uid="nonsense")["userId"])


def test_a_room_with_a_long_past_knows_who_played_and_how_many_did(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.rooms.snapshots.MOST_NAMES", 2)
    room, players = program.room(), [program.player(name) for name in ("Ada", "Bob", "Cleo", "Dora")]
    for played, uid in enumerate(players, start=1):
        program.submit(uid, room, 5)
        program.look()
        states = [program.good("/api/State", roomid=room, uid=each) for each in players]
        assert {state["currentUserCount"] for state in states} == {played}
        assert [state["nickName"] for state in states] == ["Ada", "Bob", "Cleo", "Dora"]
        assert [state["hasSubmitted"] for state in states] == [True] * played + [False] * (4 - played)


def test_polling_stores_nothing(program: Program, clock: Clock) -> None:
    room, known = program.room(), program.player("Ada")
    before = rows()
    for uid in ("", "nonsense", str(uuid.uuid4()), known) * 5:
        program.good("/api/State", roomid=room, uid=uid)
        clock.go_on(0.2)
    assert rows() == before


def test_polling_a_known_room_asks_the_database_nothing(program: Program, django_assert_num_queries: object) -> None:
    room, uid = program.room(), program.player("Ada")
    program.submit(uid, room, 5)
    program.look()
    with django_assert_num_queries(0):  # type: ignore[operator]
        for _ in range(10):
            assert program.good("/api/State", roomid=room, uid=uid)["nickName"] == "Ada"


def test_left_time_is_rounded_up_and_never_negative(program: Program, clock: Clock) -> None:
    room = program.room(duration=3)
    shown = []
    for _ in range(4):
        shown.append(program.good("/api/State", roomid=room)["leftTime"])
        clock.go_on(0.9)
    assert shown == [3, 3, 2, 1]
    clock.go_on(10)
    assert program.good("/api/State", roomid=room)["leftTime"] == 0


# --- submitting


def test_submit_answers_an_empty_object(program: Program) -> None:
    assert program.submit(program.player(), program.room(), "1e-05") == (200, {})
    assert program.submit(program.player(), program.room(numbers=2), "99.9", "0.1") == (200, {})


def test_what_submit_refuses(program: Program, clock: Clock) -> None:
    room, uid = program.room(numbers=2, userCount=2), program.player()
    for unknown in ("", "x", str(uuid.uuid4())):
        assert program.refused(program.submit(unknown, room, 5, 6)) == "Invalid uid"
    for n1, n2 in ((0, 5), (5, 100), ("nan", 5), ("inf", 5), ("1_0", 5), (5, "٣"), ("1e-400", 5), ("", 5)):
        assert program.refused(program.submit(uid, room, n1, n2)) == Refusal.INVALID_NUMBER
    assert program.refused(program.submit(uid, room, 5)) == Refusal.MISSING_NUMBER
    for rid in ("", "x", str(uuid.uuid4())):
        assert program.refused(program.post("/api/Submit", uid=uid, rid=rid, n1=5, n2=6))
    assert not Pick.objects.exists()
    assert program.submit(uid, room, 5, 6) == (200, {})
    assert program.refused(program.submit(uid, room, 7, 8)) == Refusal.TWICE
    assert Pick.objects.get().number1 == 5


def test_a_room_for_one_number_ignores_the_second(program: Program) -> None:
    room = program.room()
    for n2 in ("", "0", "nonsense", "500"):
        assert program.submit(program.player(), room, 5, n2) == (200, {})
    assert set(Pick.objects.values_list("number2", flat=True)) == {None}


def test_a_submission_at_the_deadline_never_slides(program: Program, clock: Clock) -> None:
    room, early, late = program.room(duration=3), program.player(), program.player()
    rid = program.round(room)
    clock.go_on(2.999)
    assert program.post("/api/Submit", uid=early, rid=rid, n1=5) == (200, {})
    clock.go_on(0.001)
    assert program.refused(program.post("/api/Submit", uid=late, rid=rid, n1=5)) == Refusal.OVER
    program.look()
    assert program.refused(program.post("/api/Submit", uid=late, rid=rid, n1=5)) == Refusal.OVER
    assert Pick.objects.count() == 1


def test_of_two_racing_submissions_of_one_user_one_counts(program: Program) -> None:
    room, uid = program.room(), program.player()
    query = f"uid={uid}&rid={program.round(room)}&n1="

    async def race() -> list[int]:
        answers = await asyncio.gather(*(program.send("POST", "/api/Submit", f"{query}{n}") for n in (5, 6)))
        return sorted(status for status, _ in answers)

    assert async_to_sync(race)() == [200, 400]
    assert Pick.objects.count() == 1


def test_a_token(program: Program, clock: Clock) -> None:
    room = services.create_room(NewRoom(Terms(), token="geheim"), clock())
    uid = program.player()
    state = program.good("/api/State", roomid=room, uid=uid)
    assert state["enabledToken"]
    token = b64encode(sha256(f"{uid}{state['roundId']}geheim".encode()).digest()).decode()
    assert program.refused(program.submit(uid, room, 5)) == Refusal.WRONG_TOKEN
    assert program.refused(program.submit(uid, room, 5, token=token[::-1])) == Refusal.WRONG_TOKEN
    rid = state["roundId"]
    assert program.call("POST", "/api/Submit", f"uid={uid}&rid={rid}&n1=5&token={token}") == (200, {})


# --- rounds


def test_every_deadline_brings_a_new_round(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    seen = {program.round(room)}
    for number in range(4):
        if number % 2:
            program.submit(uid, room, 5)
        clock.go_on(3)
        program.look()
        seen.add(program.round(room))
    assert len(seen) == 5
    assert program.good("/api/State", roomid=room)["finishedRoundCount"] == 2
    assert len(program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"]) == 2
    assert [played["index"] for played in program.good("/api/History", roomid=room)["rounds"]] == [2, 1]


def test_what_closed_is_seen_no_later_than_its_successor(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    first = program.round(room)
    program.submit(uid, room, 50)
    assert program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == []
    clock.go_on(3)
    assert services.close_due(clock()) == 1  # by another process
    elsewhere = Program(clock)
    assert elsewhere.round(room) != first
    assert program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 50]
    assert program.good("/api/History", roomid=room)["rounds"][0]["roundId"] == first


def test_a_full_round_closes_at_once(program: Program, clock: Clock) -> None:
    room, players = program.room(userCount=2), [program.player(), program.player()]
    rid = program.round(room)
    program.submit(players[0], room, 10)
    assert program.round(room) == rid
    program.submit(players[1], room, 20)
    state = program.good("/api/State", roomid=room, uid=players[1])
    assert state["roundId"] != rid
    assert (state["finishedRoundCount"], state["hasSubmitted"], state["leftTime"]) == (1, False, 60)
    assert program.refused(program.submit(program.player(), room, 5)) == Refusal.FULL
    assert program.submit(players[0], room, 5) == (200, {})


def test_a_room_ends_after_its_rounds(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3, roundCount=2), program.player()
    for _ in range(3):
        clock.go_on(3)
        program.look()  # empty rounds do not count
    for _ in range(2):
        program.submit(uid, room, 5)
        clock.go_on(3)
        program.look()
    state = program.good("/api/State", roomid=room)
    assert (state["state"], state["finishedRoundCount"], state["leftTime"]) == (2, 2, 0)
    assert uuid.UUID(state["roundId"])
    assert program.refused(program.submit(uid, room, 5)) == Refusal.FINISHED
    assert program.refused(program.get("/api/StartGame", roomid=room)) == Refusal.FINISHED


def test_two_racing_closers_close_one_round(program: Program, clock: Clock) -> None:
    room = program.room(duration=3)
    program.submit(program.player(), room, 5)
    clock.go_on(3)
    assert [services.close_due(clock()) for _ in range(2)] == [1, 0]
    assert program.good("/api/History", roomid=room)["rounds"][0]["index"] == 1


def test_scores_are_those_of_the_game(program: Program, clock: Clock) -> None:
    room, players = program.room(numbers=2, duration=3), [program.player(str(n)) for n in range(4)]
    numbers = [(10.0, 30.0), (12.0, 99.0), (20.0, 21.0)]
    for uid, (n1, n2) in zip(players[:3], numbers, strict=True):
        program.submit(uid, room, n1, n2)
    clock.go_on(3)
    program.look()
    expected = score_round(numbers)
    played = program.good("/api/History", roomid=room)["rounds"][0]
    assert played["goldenNumber"] == expected.golden
    assert [each["score"] for each in played["userNumbers"]] == list(expected.gains)
    best_first = sorted(expected.gains, reverse=True)
    assert [each["score"] for each in program.good("/api/TodayScore", roomid=room)["scoreList"]] == best_first


# --- lists


def test_today_golden_list(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    for number in (10, 20, 30):
        program.submit(uid, room, number)
        clock.go_on(3)
        program.look()
    whole = [0.618 * number for number in (10, 20, 30)]
    for count, expected in (("", whole), (-1, whole), (2, whole[1:]), (0, []), (100, whole)):
        body = program.good("/api/TodayGoldenList", roomid=room, roundCount=count)
        assert body == {"roomId": room, "goldenNumberList": expected}
    assert program.refused(program.get("/api/TodayGoldenList", roomid=room, roundCount=-2))


def test_today_numbers_of_a_limited_room_have_a_row_for_every_seat(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3, userCount=3), program.player()
    program.submit(uid, room, 10)
    clock.go_on(3)
    program.look()
    body = program.good("/api/TodayNumbers", roomid=room)
    assert (body["roomId"], body["validNumbers"]) == (room, 1)
    assert body["numberList"] == [
        {"userIndex": user, "roundIndex": 1, "number1": first, "number2": 0}
        for user, first in ((0, 10), (1, 0), (2, 0))
    ]
    assert program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 10]


def test_lists_of_a_new_room_are_empty(program: Program) -> None:
    room = program.room()
    assert program.good("/api/TodayNumbers", roomid=room)["numberList"] == []
    assert program.good("/api/TodayScore", roomid=room) == {"date": "2026-03-04", "scoreList": []}
    assert program.good("/api/History", roomid=room) == {"rounds": [], "nickNames": {}}


def test_today_begins_at_midnight_of_the_sites_time_zone(program: Program, settings: object) -> None:
    settings.TIME_ZONE = "Asia/Shanghai"  # type: ignore[attr-defined]
    program.clock.now = datetime(2026, 3, 4, 15, 59, 56, tzinfo=UTC)  # 23:59:56 in Shanghai
    room, uid = program.room(duration=3), program.player()
    program.submit(uid, room, 10)
    program.clock.go_on(3)
    program.look()
    assert program.good("/api/TodayScore", roomid=room)["date"] == "2026-03-04"
    assert program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 10]
    program.clock.go_on(3)
    program.look()
    assert program.good("/api/TodayScore", roomid=room) == {"date": "2026-03-05", "scoreList": []}
    assert program.good("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == []
    assert program.good("/api/TodayNumbers", roomid=room)["numberList"] == []
    assert len(program.good("/api/History", roomid=room)["rounds"]) == 1
    assert program.good("/api/State", roomid=room)["finishedRoundCount"] == 1


def test_history(program: Program, clock: Clock) -> None:
    room, ada, bob = program.room(duration=3), program.player("Ada"), program.player("Bob")
    rids = []
    for number in range(12):
        rids.append(program.round(room))
        program.submit(ada, room, 10 + number)
        if number == 0:
            program.submit(bob, room, 20)
        clock.go_on(3)
        program.look()
    body = program.good("/api/History", roomid=room)
    assert [played["roundId"] for played in body["rounds"]] == rids[:1:-1]
    assert body["nickNames"] == {ada: "Ada"}
    newest = body["rounds"][0]
    assert list(newest) == ["roundId", "index", "time", "goldenNumber", "userNumbers"]
    assert newest["userNumbers"] == [{"userId": ada, "masterNumber": 21, "slaveNumber": 0, "score": 0}]
    assert datetime.fromisoformat(newest["time"]) == clock()
    older = program.good("/api/History", roomid=room, startrid=rids[2], count=100)
    assert [played["roundId"] for played in older["rounds"]] == [rids[1], rids[0]]
    assert older["nickNames"] == {ada: "Ada", bob: "Bob"}
    newer = program.good("/api/History", roomid=room, startrid=rids[2], count=2, direction=1)
    assert [played["roundId"] for played in newer["rounds"]] == [rids[3], rids[4]]
    assert len(program.good("/api/History", roomid=room, count=1000)["rounds"]) == 12
    assert program.good("/api/History", roomid=room, direction=1)["rounds"] == []


def test_history_from_a_round_that_nobody_played_or_that_never_was(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    program.submit(uid, room, 5)
    clock.go_on(3)
    program.look()
    empty = program.round(room)
    clock.go_on(3)
    program.look()
    assert len(program.good("/api/History", roomid=room, startrid=empty)["rounds"]) == 1
    for foreign in ("x", str(uuid.uuid4()), program.round(program.room())):
        assert program.refused(program.get("/api/History", roomid=room, startrid=foreign))
