"""A nickname that could be mistaken for another player's gets a number; names of built-in players are refused."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.identity import GuidPurpose, new_guid
from arena.games.golden_point.rooms.live import snapshots
from arena.games.golden_point.rooms.models import Player, RoomPlayer
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import Refusal
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program

TREND = "House: trend"


def join_and_list_names(program: Program, room: int, *names: str) -> list[str]:
    """Submit as players with these names and return all names in the room, in order of joining."""
    for name in names:
        assert program.submit(program.player(name), room, 10)[0] == 200
    program.refresh()
    return list(RoomPlayer.objects.filter(room__number=room).order_by("index").values_list("nickname", flat=True))


@pytest.mark.parametrize(
    "name",
    [TREND, "HOUSE： trend", "Нouse: trend", "House trend", "House: mine", "[House] last", "内置 趋势", "内置：小明"],
)
def test_names_of_built_in_players_are_reserved(program: Program, name: str) -> None:
    before = Player.objects.count()
    assert program.refusal_message(program.get("/api/NewUser", nickName=name)) == Refusal.RESERVED_NAME
    uid = program.player("Ada")
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName=name)) == Refusal.RESERVED_NAME
    assert program.get_ok("/api/User", uid=uid)["nickName"] == "Ada"
    assert Player.objects.count() == before + 1


@pytest.mark.long
def test_lookalike_names_in_a_room_are_numbered(program: Program, clock: Clock) -> None:
    room = program.room(duration=3)
    names = join_and_list_names(program, room, "Ada", "Ada", "\N{GREEK CAPITAL LETTER ALPHA}da", "ADA", "Bob")
    assert names == ["Ada", "Ada 2", "\N{GREEK CAPITAL LETTER ALPHA}da 3", "ADA 4", "Bob"]
    clock.advance(3)
    program.refresh()
    assert set(program.get_ok("/api/History", roomid=room)["nickNames"].values()) == set(names)
    assert {each["nickName"] for each in program.get_ok("/api/TodayScore", roomid=room)["scoreList"]} == set(names)
    shown = snapshots.snapshot(room, clock())
    assert shown is not None
    assert list(shown["names"].values()) == names
    assert join_and_list_names(program, program.room(duration=3), "Ada") == ["Ada"]


def test_restarted_program_plays_under_its_name_with_a_number(program: Program) -> None:
    room = program.room(duration=200)
    join_and_list_names(program, room, "Ada")
    again = program.get_ok("/api/NewUser", nickName="Ada")
    assert again["nickName"] == "Ada"
    assert program.submit(again["userId"], room, 10) == (200, {})
    program.refresh()
    assert program.get_ok("/api/State", roomid=room, uid=again["userId"])["nickName"] == "Ada 2"
    assert program.get_ok("/api/User", uid=again["userId"])["nickName"] == "Ada"


@pytest.mark.long
def test_numbered_name_fits_into_twenty_characters(program: Program) -> None:
    names = join_and_list_names(program, program.room(), *["x" * 30] * 11)
    assert names[0] == "x" * 20
    assert names[1] == "x" * 18 + " 2"
    assert names[10] == "x" * 17 + " 11"


@pytest.mark.long
def test_renamed_player_gets_a_number_where_the_name_is_taken(program: Program) -> None:
    room, other = program.room(), program.room()
    bob = program.player("Bob")
    join_and_list_names(program, room, "Ada")
    for each in (room, other):
        program.submit(bob, each, 10)
    assert program.post("/api/NickName", uid=bob, nickName="ADA") == (200, {"userId": bob, "nickName": "ADA"})
    program.refresh()
    assert program.get_ok("/api/State", roomid=room, uid=bob)["nickName"] == "ADA 2"
    assert program.get_ok("/api/State", roomid=other, uid=bob)["nickName"] == "ADA"
    program.post("/api/NickName", uid=bob, nickName="ADA")  # again: a name does not conflict with itself
    program.refresh()
    assert program.get_ok("/api/State", roomid=room, uid=bob)["nickName"] == "ADA 2"


@pytest.mark.django_db(transaction=True)
def test_seated_bot_reserves_its_name_before_playing(program: Program, clock: Clock) -> None:
    room, owner = program.room(duration=200), factories.person("owner")
    seating.seat_bot(room, factories.bot(owner, "golden_point", "Deep").pk, owner, now=clock())
    assert join_and_list_names(program, room, "Dеер", "Deep") == ["Dеер 2", "Deep 3"]
    bot = str(Player.objects.get(nickname="Deep", kind="bot").uid)
    submit_all([SentPick(bot, program.round(room), "5", seated=True)], clock)
    assert join_and_list_names(program, room)[-1] == "Deep"


def test_invisible_name_is_rejected(program: Program) -> None:
    assert program.get_ok("/api/NewUser", nickName="\u2800\u200b")["nickName"].startswith("Player ")
    assert program.refusal_message(program.post("/api/NickName", uid=program.player(), nickName="\u2800"))


def test_lookalikes_joining_in_parallel_get_distinct_names(program: Program, clock: Clock) -> None:
    room = program.room()
    uids = [program.player(name) for name in ("Ada", "Αda", "Adа", "ADA") * 2]
    rid = program.round(room)
    receipts = submit_all([SentPick(uid, rid, "5") for uid in uids], clock)
    assert [receipt.refusal for receipt in receipts] == [None] * len(uids)
    assert RoomPlayer.objects.filter(room__number=room).values("skeleton").distinct().count() == len(uids)


def test_database_constraint_rejects_lookalike_names(program: Program) -> None:
    room = program.room()
    join_and_list_names(program, room, "Ada")
    member = RoomPlayer.objects.get()
    other = Player.objects.create(uid=new_guid(GuidPurpose.PLAYER), nickname="Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        RoomPlayer.objects.create(room=member.room, player=other, index=1, nickname="Ada", skeleton=member.skeleton)
