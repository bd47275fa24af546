"""A room created on the site works for programs, its owner can rename and close it, and limits apply per person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.models import BotSeat, Room, RoomPlayer, RoomRound, SeatEnd
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds import limits
from arena.games.golden_point.rooms.rules import GIVEN_UP_AFTER, NEVER_STARTED, Refusal, RoomState, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom
from arena.platform.quota import END_SECONDS
from arena.platform.refusal import LIMIT, Refused
from tests import factories
from tests.games.golden_point.rooms.program import NOON, Clock, Program
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def room_state(number: int) -> str:
    return Room.objects.values_list("state", flat=True).get(number=number)


def test_room_created_on_the_site_works_for_programs(program: Program, clock: Clock) -> None:
    owner = factories.person()
    plan = RoomPlan(
        RoomTerms(2, 5, 4, 3), "Our class", "secret", started_by_hand=True, built_in_players=("last", "trend")
    )
    number = owner_services.create(owner, plan, now=clock())
    state = program.get_ok("/api/State", roomid=number)
    assert (state["numbers"], state["duration"], state["maxUserCount"], state["totalRoundCount"]) == (2, 5, 4, 3)
    assert (state["state"], state["enabledToken"], state["currentUserCount"]) == (1, True, 2)
    assert program.refusal_message(program.get("/api/StartGame", roomid=number)) == Refusal.NOT_CREATOR
    response = program.get("/api/StartGame", uid=program.player(), roomid=number)
    assert program.refusal_message(response) == Refusal.NOT_CREATOR
    owner_services.start(number, now=clock())
    owner_services.start(number, now=clock())
    program.refresh()
    assert program.get_ok("/api/State", roomid=number)["state"] == 0
    clock.advance(5)
    program.refresh()
    assert len(program.get_ok("/api/History", roomid=number)["rounds"][0]["userNumbers"]) == 2


def test_room_is_not_created_if_a_bot_gets_no_place(clock: Clock) -> None:
    owner = factories.person()
    unfit = factories.bot(owner, "golden_point", playable=False)
    with pytest.raises(Refused):
        owner_services.create(owner, RoomPlan(RoomTerms(), bots=(unfit.pk,)), now=clock())
    assert not Room.objects.exists()


@pytest.mark.long
def test_open_and_hourly_rooms_per_person_are_limited(clock: Clock) -> None:
    owner = factories.person()
    made = [owner_services.create(owner, RoomPlan(RoomTerms()), now=clock()) for _ in range(settings.ROOMS_OPEN)]
    with expect_refusal(LIMIT) as too_many_open:
        owner_services.create(owner, RoomPlan(RoomTerms()), now=clock())
    for _ in range(settings.ROOMS_AN_HOUR - settings.ROOMS_OPEN):
        owner_services.close(made.pop(), now=clock())
        made.append(owner_services.create(owner, RoomPlan(RoomTerms()), now=clock()))
    owner_services.close(made.pop(), now=clock())
    with expect_refusal(LIMIT) as too_many_an_hour:
        owner_services.create(owner, RoomPlan(RoomTerms()), now=clock())
    assert too_many_open.value.retry_after == END_SECONDS < too_many_an_hour.value.retry_after <= 3600
    assert owner_services.create(factories.person(is_staff=True), RoomPlan(RoomTerms()), now=clock())
    clock.advance(3601)
    assert owner_services.create(owner, RoomPlan(RoomTerms()), now=clock())


def test_rooms_of_programs_do_not_count_towards_a_persons_limit(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_RUNNING_ROOMS", 1)
    services.create_room(NewRoom(RoomTerms()), clock())
    with pytest.raises(Refused):
        services.create_room(NewRoom(RoomTerms()), clock())
    assert owner_services.create(factories.person(), RoomPlan(RoomTerms()), now=clock())
    assert services.create_room(NewRoom(RoomTerms(), started_by_hand=True), clock())


def test_closing_a_room_finishes_it_and_removes_everyone(program: Program, clock: Clock) -> None:
    owner = factories.person()
    bot = factories.bot(owner, "golden_point")
    number = owner_services.create(owner, RoomPlan(RoomTerms(), bots=(bot.pk,)), now=clock())
    assert program.submit(program.player(), number, 5) == (200, {})
    owner_services.close(number, now=clock())
    program.refresh()
    assert program.get_ok("/api/State", roomid=number)["state"] == 2
    assert program.refusal_message(program.submit(program.player(), number, 5)) == Refusal.FINISHED
    assert BotSeat.objects.get().ended_by == SeatEnd.OVER
    for change in (owner_services.close, owner_services.start):
        with pytest.raises(Refused):
            change(number, now=clock())


@pytest.mark.long
def test_house_bots_can_be_added_and_removed_and_keep_their_places(program: Program, clock: Clock) -> None:
    number = owner_services.create(factories.person(), RoomPlan(RoomTerms(seconds=3)), now=clock())
    ada = program.player("Ada")

    def play_round() -> list[str]:
        program.submit(ada, number, 5)
        clock.advance(3)
        program.refresh()
        body = program.get_ok("/api/History", roomid=number, count=1)
        return sorted(body["nickNames"].values())

    assert play_round() == ["Ada"]
    owner_services.add_built_in_players(number, ["last", "random"], now=NOON)
    assert play_round() == ["Ada"]  # they join in the next round
    assert play_round() == ["Ada", "House: last", "House: random"]
    owner_services.deactivate_built_in_player(number, "last")
    play_round()
    assert play_round() == ["Ada", "House: random"]
    owner_services.add_built_in_players(number, ["last"], now=NOON)
    play_round()
    assert play_round() == ["Ada", "House: last", "House: random"]
    assert list(RoomPlayer.objects.values_list("index", flat=True)) == [0, 1, 2]


def test_full_room_accepts_no_more_house_bots(program: Program, clock: Clock) -> None:
    plan = RoomPlan(RoomTerms(seconds=3, most_players=2), built_in_players=("last",))
    number = owner_services.create(factories.person(), plan, now=clock())
    with expect_refusal("room_full"):
        owner_services.add_built_in_players(number, ["trend", "random"], now=NOON)
    owner_services.add_built_in_players(number, ["trend", "last"], now=NOON)
    assert program.refusal_message(program.submit(program.player(), number, 5)) == Refusal.FULL


def test_new_room_name_is_visible_immediately(program: Program, clock: Clock) -> None:
    number = owner_services.create(factories.person(), RoomPlan(RoomTerms()), now=clock())
    before = Room.objects.get(number=number).version
    owner_services.rename(number, "Another", now=clock())
    room = Room.objects.get(number=number)
    assert (room.name, room.version > before) == ("Another", True)


def test_broken_room_does_not_keep_other_idle_rooms_open(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    broken, idle = (
        owner_services.create(factories.person(), RoomPlan(RoomTerms(), started_by_hand=True), now=clock())
        for _ in range(2)
    )
    RoomRound.objects.filter(room__number=broken).delete()
    clock.now += NEVER_STARTED + timedelta(seconds=1)
    assert services.close_idle_rooms(clock()) == 1
    assert room_state(idle) == RoomState.FINISHED
    assert len(caplog.records) == 1


@pytest.mark.long
def test_idle_rooms_are_closed_except_the_permanent_ones(program: Program, clock: Clock) -> None:
    services.ensure_permanent_rooms(clock())
    idle = owner_services.create(
        factories.person(), RoomPlan(RoomTerms(seconds=3), built_in_players=("last",)), now=clock()
    )
    played = owner_services.create(factories.person(), RoomPlan(RoomTerms(seconds=3)), now=clock())
    waiting = owner_services.create(factories.person(), RoomPlan(RoomTerms(), started_by_hand=True), now=clock())
    clock.now += GIVEN_UP_AFTER - timedelta(seconds=1)
    program.refresh()
    program.submit(program.player(), played, 5)
    clock.advance(2)
    assert services.close_idle_rooms(clock()) == 1
    assert [room_state(number) for number in (0, 1, idle, played)] == [
        *(RoomState.RUNNING, RoomState.RUNNING),
        *(RoomState.FINISHED, RoomState.RUNNING),
    ]
    clock.now += NEVER_STARTED
    services.close_idle_rooms(clock())
    assert room_state(waiting) == RoomState.FINISHED
