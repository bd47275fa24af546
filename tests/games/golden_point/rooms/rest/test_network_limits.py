"""Limits per network address for programs without an account: a whole class behind one address stays within them."""

from __future__ import annotations

from typing import Any

import pytest

from arena import settings as defaults
from arena.games.golden_point.rooms.models import Player, Room, RoomPlayer
from arena.games.golden_point.rooms.polling.throttle import MemoryThrottle
from arena.games.golden_point.rooms.rules import Refusal
from tests.games.golden_point.rooms.program import NOON, Clock, Program

OTHER = "198.51.100.7"


def test_new_rooms_per_hour_are_limited(program: Program, settings: Any) -> None:
    settings.PROGRAM_ROOMS_AN_HOUR = 3
    for _ in range(3):
        program.room()
        program.clock.advance(60)
    assert program.refusal_message(program.get("/api/NewRoom")) == Refusal.ROOMS_OF_NETWORK
    wait = int(program.headers[b"retry-after"])
    assert wait == 3600 - 3 * 60
    program.address = OTHER
    program.room()
    program.address = "192.0.2.1"
    program.clock.advance(wait)
    program.room()
    assert program.refusal_message(program.get("/api/NewRoom")) == Refusal.ROOMS_OF_NETWORK
    assert Room.objects.count() == 5


def test_open_rooms_are_limited(program: Program, settings: Any) -> None:
    settings.PROGRAM_ROOMS_OPEN = 2
    first = program.room(roundCount=1, userCount=1)
    program.room(manuallyStart=1)
    assert program.refusal_message(program.get("/api/NewRoom")) == Refusal.OPEN_ROOMS_OF_NETWORK
    assert program.headers[b"retry-after"] == b"60"
    assert program.submit(program.player(), first, 10) == (200, {})
    program.room()


def test_new_players_per_hour_are_limited_however_they_join(program: Program, settings: Any) -> None:
    settings.ROOM_PLAYERS_AN_HOUR = 3
    room = program.room(duration=200)
    created = [program.get_ok("/api/State", roomid=room)["userId"] for _ in range(4)]
    program.player()
    program.clock.advance(100)
    assert program.submit(created[0], room, 10)[0] == 200
    assert program.post("/api/NickName", uid=created[1], nickName="Ada")[0] == 200
    for answer in (
        lambda: program.get("/api/NewUser"),
        lambda: program.submit(created[2], room, 10),
        lambda: program.post("/api/NickName", uid=created[2], nickName="Bob"),
        lambda: program.get("/api/NewRoom", uid=created[2]),
    ):
        assert program.refusal_message(answer()) == Refusal.PLAYERS_OF_NETWORK
        assert program.headers[b"retry-after"] == b"3500"
    assert program.submit(created[1], room, 10)[0] == 200  # existing players can continue
    assert Player.objects.count() == 3
    assert RoomPlayer.objects.count() == 2
    program.address = OTHER
    assert program.submit(created[3], room, 10)[0] == 200


def test_ids_created_by_state_are_limited(clock: Clock, db: None) -> None:
    program = Program(clock, ids_a_minute=3)
    room, known = program.room(), program.player()
    for _ in range(3):
        program.get_ok("/api/State", roomid=room)
    assert program.refusal_message(program.get("/api/State", roomid=room)) == Refusal.IDS_OF_NETWORK
    assert program.headers[b"retry-after"] == b"20"
    assert program.get_ok("/api/State", roomid=room, uid=known)["userId"] == known
    program.address = OTHER
    program.get_ok("/api/State", roomid=room)
    program.address = "192.0.2.1"
    clock.advance(20)
    program.get_ok("/api/State", roomid=room)
    assert program.get("/api/State", roomid=room)[0] == 400


@pytest.mark.long
def test_default_limits_allow_a_class_to_poll_five_times_a_second() -> None:
    throttle, clock = MemoryThrottle(defaults.ROOM_IDS_A_MINUTE), Clock(NOON)
    for _ in range(2 * 60 * 5):  # two minutes
        assert not any(throttle.count_use("class", clock()) for _ in range(200))
        clock.advance(0.2)


def test_default_limits_allow_a_class_to_restart_often() -> None:
    assert defaults.ROOM_PLAYERS_AN_HOUR >= 200 * 15
    assert defaults.PROGRAM_ROOMS_OPEN >= 200


@pytest.mark.parametrize("name", ["PROGRAM_ROOMS_AN_HOUR", "PROGRAM_ROOMS_OPEN", "ROOM_PLAYERS_AN_HOUR"])
def test_zero_means_no_limit(program: Program, settings: Any, name: str) -> None:
    setattr(settings, name, 0)
    program.player()
    program.room()
