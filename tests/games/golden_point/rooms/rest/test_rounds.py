"""A round accepts numbers until it closes, and the next one opens immediately."""

from __future__ import annotations

import asyncio
import uuid
from base64 import b64encode
from hashlib import sha256

import pytest
from asgiref.sync import async_to_sync

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.models import Pick
from arena.games.golden_point.rooms.rules import Refusal, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.games.golden_point.rules import score_round
from tests.games.golden_point.rooms.program import Clock, Program


def test_submit_returns_an_empty_object(program: Program) -> None:
    assert program.submit(program.player(), program.room(), "1e-05") == (200, {})
    assert program.submit(program.player(), program.room(numbers=2), "99.9", "0.1") == (200, {})


def test_submit_rejects_invalid_requests(program: Program, clock: Clock) -> None:
    room, uid = program.room(numbers=2, userCount=2), program.player()
    for unknown in ("", "x", str(uuid.uuid4())):
        assert program.refusal_message(program.submit(unknown, room, 5, 6)) == "Invalid uid"
    for n1, n2 in ((0, 5), (5, 100), ("nan", 5), ("inf", 5), ("1_0", 5), (5, "٣"), ("1e-400", 5), ("", 5)):
        assert program.refusal_message(program.submit(uid, room, n1, n2)) == Refusal.INVALID_NUMBER
    assert program.refusal_message(program.submit(uid, room, 5)) == Refusal.MISSING_NUMBER
    for rid in ("", "x", str(uuid.uuid4())):
        assert program.refusal_message(program.post("/api/Submit", uid=uid, rid=rid, n1=5, n2=6))
    assert not Pick.objects.exists()
    assert program.submit(uid, room, 5, 6) == (200, {})
    assert program.refusal_message(program.submit(uid, room, 7, 8)) == Refusal.TWICE
    assert program.headers[b"refusal-code"] == b"twice", "pages know it by this, not by the words"
    assert Pick.objects.get().number1 == 5


def test_room_for_one_number_ignores_the_second(program: Program) -> None:
    room = program.room()
    for n2 in ("", "0", "nonsense", "500"):
        assert program.submit(program.player(), room, 5, n2) == (200, {})
    assert set(Pick.objects.values_list("number2", flat=True)) == {None}


def test_one_of_two_concurrent_submissions_of_a_user_counts(program: Program) -> None:
    room, uid = program.room(), program.player()
    query = f"uid={uid}&rid={program.round(room)}&n1="

    async def race() -> list[int]:
        answers = await asyncio.gather(*(program.send("POST", "/api/Submit", f"{query}{n}") for n in (5, 6)))
        return sorted(status for status, _ in answers)

    assert async_to_sync(race)() == [200, 400]
    assert Pick.objects.count() == 1


def test_submit_requires_the_token_of_its_room(program: Program, clock: Clock) -> None:
    room = services.create_room(NewRoom(RoomTerms(), token="geheim"), clock())
    uid = program.player()
    state = program.get_ok("/api/State", roomid=room, uid=uid)
    assert state["enabledToken"]
    token = b64encode(sha256(f"{uid}{state['roundId']}geheim".encode()).digest()).decode()
    assert program.refusal_message(program.submit(uid, room, 5)) == Refusal.WRONG_TOKEN
    assert program.refusal_message(program.submit(uid, room, 5, token=token[::-1])) == Refusal.WRONG_TOKEN
    rid = state["roundId"]
    assert program.call("POST", "/api/Submit", f"uid={uid}&rid={rid}&n1=5&token={token}") == (200, {})


def test_every_deadline_opens_a_new_round(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    seen = {program.round(room)}
    for number in range(4):
        if number % 2:
            program.submit(uid, room, 5)
        clock.advance(3)
        program.refresh()
        seen.add(program.round(room))
    assert len(seen) == 5
    assert program.get_ok("/api/State", roomid=room)["finishedRoundCount"] == 2
    assert len(program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"]) == 2
    assert [played["index"] for played in program.get_ok("/api/History", roomid=room)["rounds"]] == [2, 1]


def test_closed_round_is_visible_no_later_than_the_next_one(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3), program.player()
    first = program.round(room)
    program.submit(uid, room, 50)
    assert program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == []
    clock.advance(3)
    assert services.close_due_rounds(clock()) == 1  # by another process
    elsewhere = Program(clock)
    assert elsewhere.round(room) != first
    assert program.get_ok("/api/TodayGoldenList", roomid=room)["goldenNumberList"] == [0.618 * 50]
    assert program.get_ok("/api/History", roomid=room)["rounds"][0]["roundId"] == first


def test_full_round_closes_immediately(program: Program, clock: Clock) -> None:
    room, players = program.room(userCount=2), [program.player(), program.player()]
    rid = program.round(room)
    program.submit(players[0], room, 10)
    assert program.round(room) == rid
    program.submit(players[1], room, 20)
    state = program.get_ok("/api/State", roomid=room, uid=players[1])
    assert state["roundId"] != rid
    assert (state["finishedRoundCount"], state["hasSubmitted"], state["leftTime"]) == (1, False, 60)
    assert program.refusal_message(program.submit(program.player(), room, 5)) == Refusal.FULL
    assert program.submit(players[0], room, 5) == (200, {})


@pytest.mark.long
def test_room_ends_after_its_last_round(program: Program, clock: Clock) -> None:
    room, uid = program.room(duration=3, roundCount=2), program.player()
    for _ in range(3):
        clock.advance(3)
        program.refresh()  # empty rounds do not count
    for _ in range(2):
        program.submit(uid, room, 5)
        clock.advance(3)
        program.refresh()
    state = program.get_ok("/api/State", roomid=room)
    assert (state["state"], state["finishedRoundCount"], state["leftTime"]) == (2, 2, 0)
    assert uuid.UUID(state["roundId"])
    assert program.refusal_message(program.submit(uid, room, 5)) == Refusal.FINISHED
    assert program.refusal_message(program.get("/api/StartGame", roomid=room)) == Refusal.FINISHED


def test_only_one_of_two_sweeps_closes_a_round(program: Program, clock: Clock) -> None:
    room = program.room(duration=3)
    program.submit(program.player(), room, 5)
    clock.advance(3)
    assert [services.close_due_rounds(clock()) for _ in range(2)] == [1, 0]
    assert program.get_ok("/api/History", roomid=room)["rounds"][0]["index"] == 1


def test_scores_agree_with_the_game_rules(program: Program, clock: Clock) -> None:
    room, players = program.room(numbers=2, duration=3), [program.player(str(n)) for n in range(4)]
    numbers = [(10.0, 30.0), (12.0, 99.0), (20.0, 21.0)]
    for uid, (n1, n2) in zip(players[:3], numbers, strict=True):
        program.submit(uid, room, n1, n2)
    clock.advance(3)
    program.refresh()
    expected = score_round(numbers)
    played = program.get_ok("/api/History", roomid=room)["rounds"][0]
    assert played["goldenNumber"] == expected.golden
    assert [each["score"] for each in played["userNumbers"]] == list(expected.gains)
    best_first = sorted(expected.gains, reverse=True)
    assert [each["score"] for each in program.get_ok("/api/TodayScore", roomid=room)["scoreList"]] == best_first
