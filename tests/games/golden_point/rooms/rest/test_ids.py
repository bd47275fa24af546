"""A player's published id gives other people no rights."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.live import snapshots
from arena.games.golden_point.rooms.models import AddressChange, AddressOutcome, Player
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import PlayerKind, Refusal, RoomTerms
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program

HOME, FOREIGN, ELSEWHERE = "192.0.2.1", "198.51.100.7", "203.0.113.9"
TEN_MINUTES = 600


def end_round(program: Program, room: int) -> None:
    program.clock.advance(3)
    program.refresh()


def listed_names(program: Program, room: int) -> dict[str, str]:
    """Return all names, keyed by public id, and check that every list has the same ids."""
    names: dict[str, str] = program.get_ok("/api/History", roomid=room, count=100)["nickNames"]
    scores = program.get_ok("/api/TodayScore", roomid=room)["scoreList"]
    rounds = program.get_ok("/api/History", roomid=room, count=100)["rounds"]
    assert {each["userId"]: each["nickName"] for each in scores} == names
    assert {each["userId"] for one in rounds for each in one["userNumbers"]} == names.keys()
    return names


def accepted_requests(program: Program, uid: str, room: int) -> list[Any]:
    """Send requests that use this id, and return the responses to those that were not refused."""
    somebodys = program.room(uid=program.player(), manuallyStart=1)
    tried = [
        program.submit(uid, room, 5),
        program.post("/api/NickName", uid=uid, nickName="Thief"),
        program.get("/api/StartGame", uid=uid, roomid=somebodys),
        program.get("/api/NewRoom", uid=uid),
        program.get("/api/User", uid=uid),
    ]
    return [answer for answer in tried if answer[0] != 400]


# --- aliases


def test_program_ids_are_listed_and_browser_ids_are_aliased(program: Program) -> None:
    room, ada = program.room(duration=3), program.player("Ada")
    person = program.get_ok("/api/NewUser", nickName="Bea", secret=1)["userId"]
    for uid in (ada, person):
        assert program.submit(uid, room, 10)[0] == 200
    end_round(program, room)
    names = listed_names(program, room)
    assert names[ada] == "Ada"
    assert person not in names
    (alias,) = names.keys() - {ada}
    assert names[alias] == "Bea"
    assert str(uuid.UUID(alias)) == alias
    assert accepted_requests(program, alias, program.room()) == []
    state = program.get_ok("/api/State", roomid=room, uid=alias)
    assert (state["nickName"] == "Bea", state["userId"] == alias) == (False, False)
    assert program.get_ok("/api/State", roomid=room, uid=person)["nickName"] == "Bea"


def test_alias_is_the_same_in_every_room_and_round(program: Program) -> None:
    person = program.get_ok("/api/NewUser", nickName="Bea", secret=1)["userId"]
    rooms = [program.room(duration=3) for _ in range(2)]
    for room in rooms:
        program.submit(person, room, 10)
    end_round(program, rooms[0])
    program.submit(person, rooms[0], 10)
    end_round(program, rooms[0])
    first, second = (listed_names(program, room) for room in rooms)
    assert first == second
    assert len(first) == 1


@pytest.mark.long
def test_house_bot_id_is_an_alias_and_grants_no_rights(program: Program, clock: Clock) -> None:
    services.ensure_permanent_rooms(clock())
    clock.advance(60)
    program.refresh()
    names = listed_names(program, 0)
    assert "House: trend" in names.values()
    bots = Player.objects.filter(kind=PlayerKind.BOT)
    assert not {str(bot.uid) for bot in bots} & names.keys()
    for uid in (*names, *(str(bot.uid) for bot in bots)):
        assert accepted_requests(program, uid, 0) == []
        assert program.get_ok("/api/State", uid=uid)["userId"] != uid


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_seated_bot_id_is_an_alias_and_grants_no_rights(program: Program, clock: Clock) -> None:
    room, owner = program.room(duration=3), factories.person("owner")
    bot = factories.bot(owner, "golden_point", "Deep")
    seating.seat_bot(room, bot.pk, owner, now=clock())
    uid = str(Player.objects.get(nickname="Deep").uid)
    answer = SentPick(uid, program.round(room), "12", seated=True)
    assert accepted_requests(program, uid, room) == []
    assert [receipt.refusal for receipt in submit_all([answer], clock)] == [None]
    end_round(program, room)
    assert list(listed_names(program, room).values()) == ["Deep"]
    assert uid not in listed_names(program, room)
    assert all(accepted_requests(program, each, room) == [] for each in (uid, *listed_names(program, room)))


# --- addresses


def test_published_id_is_refused_elsewhere_until_idle_for_ten_minutes(program: Program) -> None:
    room, uid = program.room(duration=200), program.player("Ada")
    assert program.submit(uid, room, 10)[0] == 200
    mine = program.room(uid=uid, manuallyStart=1)
    program.address = FOREIGN
    for answer in (
        lambda: program.submit(uid, program.room(duration=3), 5),
        lambda: program.post("/api/NickName", uid=uid, nickName="Thief"),
        lambda: program.get("/api/StartGame", uid=uid, roomid=mine),
        lambda: program.get("/api/NewRoom", uid=uid),
    ):
        assert program.refusal_message(answer()) == Refusal.ELSEWHERE
        assert int(program.headers[b"retry-after"]) == TEN_MINUTES
    program.clock.advance(TEN_MINUTES - 1)
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName="Thief")) == Refusal.ELSEWHERE
    assert program.headers[b"retry-after"] == b"1"
    program.clock.advance(1)
    assert program.post("/api/NickName", uid=uid, nickName="Moved")[0] == 200
    program.address = HOME
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName="Ada")) == Refusal.ELSEWHERE


def test_accepted_submission_moves_an_idle_id_and_refused_one_does_not(program: Program) -> None:
    room, uid = program.room(duration=200), program.player("Ada")
    program.clock.advance(TEN_MINUTES)
    program.address = FOREIGN
    assert program.submit(uid, room, "nonsense")[0] == 400
    program.address = HOME
    assert program.post("/api/NickName", uid=uid, nickName="Ada")[0] == 200
    program.clock.advance(TEN_MINUTES)
    program.refresh()
    program.address = FOREIGN
    assert program.submit(uid, room, 10) == (200, {})
    program.address = HOME
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName="Ada")) == Refusal.ELSEWHERE


@pytest.mark.long
def test_polling_keeps_an_id_bound_and_foreign_polling_does_not(program: Program) -> None:
    room, uid = program.room(duration=200), program.player("Ada")
    for _ in range(12):
        program.clock.advance(60)
        program.refresh()
        assert program.get_ok("/api/State", roomid=room, uid=uid)["userId"] == uid
    program.refresh()
    program.address = FOREIGN
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName="Thief")) == Refusal.ELSEWHERE
    for _ in range(11):
        program.clock.advance(60)
        assert program.get_ok("/api/State", roomid=room, uid=uid)["nickName"] == "Ada"
        program.refresh()
    assert program.post("/api/NickName", uid=uid, nickName="Moved")[0] == 200


@pytest.mark.long
def test_polling_is_stored_in_two_statements_per_minute(program: Program, django_assert_num_queries: object) -> None:
    room, uids = program.room(duration=200), [program.player(f"P{number}") for number in range(20)]
    program.refresh()
    before = Player.objects.count()
    program.clock.advance(61)
    for uid in uids * 5:
        program.get_ok("/api/State", roomid=room, uid=uid)
    with django_assert_num_queries(2):  # type: ignore[operator]
        async_to_sync(program.cache._store_polls)(program.clock())
        async_to_sync(program.cache._store_polls)(program.clock())
    assert Player.objects.count() == before
    assert set(Player.objects.filter(uid__in=uids).values_list("used_at", flat=True)) == {program.clock()}


@pytest.mark.long
def test_class_behind_one_address_and_restarted_program_can_play(program: Program) -> None:
    room, uids = program.room(duration=3), [program.player(f"P{number}") for number in range(30)]
    for uid in uids:
        assert program.submit(uid, room, 10)[0] == 200
    end_round(program, room)
    again = Program(program.clock)  # another process at the same address after a crash
    assert again.submit(uids[0], room, 11) == (200, {})


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:fedc::9", 200),  # an IPv6 privacy address of the same household
        ("2001:db8:1:2::1", "2001:db8:1:3::1", 400),
        ("192.0.2.1", "::ffff:192.0.2.1", 200),
        ("192.0.2.1", "192.0.2.2", 400),
    ],
)
def test_id_is_bound_to_an_ipv4_address_or_ipv6_prefix(program: Program, first: str, second: str, status: int) -> None:
    program.address = first
    room, uid = program.room(duration=3), program.player("Ada")
    program.address = second
    assert program.submit(uid, room, 10)[0] == status


def test_person_in_browser_can_change_networks(program: Program) -> None:
    room = program.room(duration=3)
    person = program.get_ok("/api/NewUser", nickName="Bea", secret=1)["userId"]
    program.address = FOREIGN
    assert program.submit(person, room, 10)[0] == 200
    program.address = ELSEWHERE
    assert program.post("/api/NickName", uid=person, nickName="Bee")[0] == 200


def test_id_created_by_state_is_bound_on_first_use(program: Program) -> None:
    room = program.room(duration=200)
    uid = program.get_ok("/api/State", roomid=room)["userId"]
    program.address = FOREIGN
    assert program.submit(uid, room, 10)[0] == 200
    program.address = HOME
    assert program.refusal_message(program.post("/api/NickName", uid=uid, nickName="x")) == Refusal.ELSEWHERE


# --- the owner of a room


@pytest.fixture
def owned_room(program: Program, clock: Clock) -> int:
    return owner_services.create(factories.person("teacher"), RoomPlan(RoomTerms(seconds=200)), now=clock())


def address_warnings(room: int) -> set[tuple[str, str]]:
    rows = AddressChange.objects.filter(room__number=room)
    return set(rows.values_list("player__nickname", "outcome"))


def test_owner_is_warned_of_refused_and_moved_ids(program: Program, owned_room: int) -> None:
    uid = program.player("Ada")
    assert program.submit(uid, owned_room, 10)[0] == 200
    program.clock.advance(200)
    program.refresh()
    program.address = FOREIGN
    for _ in range(5):
        assert program.refusal_message(program.submit(uid, owned_room, 10)) == Refusal.ELSEWHERE
    assert address_warnings(owned_room) == {("Ada", AddressOutcome.REFUSED)}
    program.clock.advance(TEN_MINUTES)
    program.refresh()
    assert program.submit(uid, owned_room, 10)[0] == 200
    assert address_warnings(owned_room) == {("Ada", AddressOutcome.REFUSED), ("Ada", AddressOutcome.MOVED)}


def test_owner_is_warned_even_with_id_binding_disabled(program: Program, owned_room: int) -> None:
    uid, other = program.player("Ada"), program.room(duration=200)
    owner_services.bind_ids(owned_room, False)
    program.address = FOREIGN
    assert program.submit(uid, owned_room, 10)[0] == 200
    assert address_warnings(owned_room) == {("Ada", AddressOutcome.ALLOWED)}
    assert program.refusal_message(program.submit(uid, other, 10)) == Refusal.ELSEWHERE
    owner_services.bind_ids(owned_room, True)
    program.clock.advance(200)
    program.refresh()
    assert program.refusal_message(program.submit(uid, owned_room, 10)) == Refusal.ELSEWHERE


def test_ids_do_not_appear_in_data_read_by_pages(program: Program, owned_room: int, clock: Clock) -> None:
    uid = program.player("Ada")
    program.submit(uid, owned_room, 10)
    clock.advance(200)
    program.refresh()
    assert uid not in str(snapshots.snapshot(owned_room, clock()))


def test_round_ids_and_player_ids_are_not_interchangeable(program: Program) -> None:
    room = program.room(duration=3)
    uid = program.player()
    assert program.submit(uid, room, 5)[0] == 200
    open_round = program.get_ok("/api/State", roomid=room)["roundId"]
    end_round(program, room)
    for published in (open_round, program.get_ok("/api/History", roomid=room)["rounds"][0]["roundId"]):
        assert accepted_requests(program, published, room) == []
    assert program.get("/api/History", roomid=room, startrid=uid)[0] == 400
