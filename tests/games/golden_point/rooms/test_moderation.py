"""Moderation of running rooms by their owner, and its effects on programs and viewers."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.live.podium import podium_json
from arena.games.golden_point.rooms.live.snapshots import snapshot
from arena.games.golden_point.rooms.models import Pick, Player, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.queries.players import player_rows
from arena.games.golden_point.rooms.rules import PlayerKind, Refusal, RoomState, RoomTerms
from arena.games.golden_point.rooms.services import RoomCaller
from arena.platform.refusal import Refused
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def create_room(clock: Clock, **terms: int) -> int:
    return owner_services.create(factories.person(), RoomPlan(RoomTerms(**{"seconds": 10, **terms})), now=clock())


def open_round(number: int) -> RoomRound:
    return RoomRound.objects.get(room__number=number, closed_at=None)


def player_id(uid: str) -> int:
    return Player.objects.values_list("pk", flat=True).get(uid=uid)


# --- the countdown


def test_paused_round_keeps_its_time_and_accepts_numbers(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), program.player("Ada")
    before = program.get_ok("/api/State", roomid=number)
    clock.advance(4)
    owner_services.pause(number, now=clock())
    clock.advance(3600)
    program.refresh()
    state = program.get_ok("/api/State", roomid=number)
    assert (state["state"], state["roundId"], state["leftTime"]) == (0, before["roundId"], 6)
    assert program.submit(ada, number, 5) == (200, {})
    assert program.refusal_message(program.submit(ada, number, 5)) == Refusal.TWICE
    assert program.get_ok("/api/State", roomid=number)["finishedRoundCount"] == 0
    owner_services.resume(number, now=clock())
    assert program.refresh() <= 6
    assert program.get_ok("/api/State", roomid=number)["leftTime"] == 6
    clock.advance(6)
    program.refresh()
    assert program.get_ok("/api/State", roomid=number)["finishedRoundCount"] == 1


def test_pause_survives_a_process_restart(program: Program, clock: Clock) -> None:
    number = create_room(clock)
    program.get_ok("/api/State", roomid=number)
    owner_services.pause(number, now=clock())
    clock.advance(60)
    other = Program(clock)
    other.refresh()
    assert other.get_ok("/api/State", roomid=number)["leftTime"] == 10
    owner_services.resume(number, now=clock())
    program.refresh()
    assert program.get_ok("/api/State", roomid=number)["leftTime"] == 10


def test_resumed_round_lasts_at_least_three_seconds(program: Program, clock: Clock) -> None:
    number = create_room(clock)
    clock.advance(9.9)
    owner_services.pause(number, now=clock())
    owner_services.resume(number, now=clock())
    assert program.get_ok("/api/State", roomid=number)["leftTime"] == 3


def test_pause_at_the_deadline_closes_the_round_first(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), program.player("Ada")
    program.submit(ada, number, 5)
    clock.advance(10)
    owner_services.pause(number, now=clock())
    room = Room.objects.get(number=number)
    assert (room.state, room.finished_rounds, open_round(number).left_ms) == (RoomState.PAUSED, 1, 10_000)


def test_pausing_twice_or_resuming_a_running_room_changes_nothing(clock: Clock) -> None:
    number = create_room(clock)
    owner_services.resume(number, now=clock())
    owner_services.pause(number, now=clock())
    clock.advance(5)
    owner_services.pause(number, now=clock())
    assert open_round(number).left_ms == 10_000
    owner_services.close(number, now=clock())
    for change in (owner_services.pause, owner_services.resume):
        with pytest.raises(Refused):
            change(number, now=clock())


def test_full_round_waits_for_the_room_to_resume(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock, most_players=1), program.player("Ada")
    owner_services.pause(number, now=clock())
    program.submit(ada, number, 5)
    assert open_round(number).index == 1
    owner_services.resume(number, now=clock())
    assert open_round(number).index == 2


def test_owner_closes_a_round_once_and_paused_room_stays_paused(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), program.player("Ada")
    first = open_round(number).guid
    assert not owner_services.close_round(number, first, now=clock())  # nobody had submitted, so the round restarted
    with expect_refusal("round_closed"):
        owner_services.close_round(number, first, now=clock())
    program.refresh()
    program.submit(ada, number, 5)
    assert owner_services.close_round(number, open_round(number).guid, now=clock())
    owner_services.pause(number, now=clock())
    program.refresh()
    assert program.submit(ada, number, 5) == (200, {})
    assert owner_services.close_round(number, open_round(number).guid, now=clock())
    room = Room.objects.get(number=number)
    assert (room.state, room.finished_rounds, open_round(number).ends_at) == (RoomState.PAUSED, 2, None)


def test_house_bots_play_in_a_round_that_opens_paused(program: Program, clock: Clock) -> None:
    plan = RoomPlan(RoomTerms(), built_in_players=("last",))
    number = owner_services.create(factories.person(), plan, now=clock())
    owner_services.pause(number, now=clock())
    owner_services.close_round(number, open_round(number).guid, now=clock())
    assert open_round(number).picks.count() == 1


def test_new_round_length_applies_from_the_next_round(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), program.player("Ada")
    owner_services.change_length(number, 30, now=clock())
    program.submit(ada, number, 5)
    state = program.get_ok("/api/State", roomid=number)
    assert (state["duration"], state["leftTime"]) == (10, 10)
    shown = snapshot(number, clock())
    assert shown is not None
    assert (shown["room"]["seconds"], shown["room"]["next_seconds"]) == (10, 30)
    clock.advance(10)
    program.refresh()
    state = program.get_ok("/api/State", roomid=number)
    assert (state["duration"], state["leftTime"]) == (30, 30)
    with pytest.raises(Refused):
        owner_services.change_length(number, 2, now=clock())


# --- players


def test_owner_chosen_nickname_is_kept(program: Program, clock: Clock) -> None:
    number, ada, bob = create_room(clock), program.player("Ada"), program.player("Bob")
    program.submit(ada, number, 5)
    program.submit(bob, number, 6)
    assert owner_services.rename_player(number, player_id(bob), "Ada", now=clock()) == "Ada 2"
    program.post("/api/NickName", uid=bob, nickName="Robert")
    program.refresh()
    assert program.get_ok("/api/State", uid=bob, roomid=number)["nickName"] == "Ada 2"
    assert program.get_ok("/api/User", uid=bob)["nickName"] == "Robert"
    shown = snapshot(number, clock())
    assert shown
    assert shown["room"]["renamed"] == {1: "Ada 2"}, "open pages drop the old name at once"
    for bad in ("House: last", "\u200b"):
        with pytest.raises(Refused):
            owner_services.rename_player(number, player_id(bob), bad, now=clock())


@pytest.mark.long
def test_removed_player_is_refused_and_keeps_its_points(program: Program, clock: Clock) -> None:
    number, ada, bob = create_room(clock), program.player("Ada"), program.player("Bob")
    program.submit(ada, number, 5)
    program.submit(bob, number, 90)
    owner_services.remove_player(number, player_id(bob), now=clock())
    clock.advance(10)
    program.refresh()
    assert len(program.get_ok("/api/History", roomid=number)["rounds"][0]["userNumbers"]) == 2
    assert program.refusal_message(program.submit(bob, number, 5)) == Refusal.REMOVED
    assert program.submit(ada, number, 5) == (200, {})
    state = program.get_ok("/api/State", uid=bob, roomid=number)
    assert (state["state"], state["hasSubmitted"], state["currentUserCount"]) == (0, False, 2)
    assert {row["nickName"] for row in program.get_ok("/api/TodayScore", roomid=number)["scoreList"]} == {"Ada", "Bob"}
    shown = snapshot(number, clock())
    assert shown is not None
    assert shown["room"]["removed"] == [1]
    assert [(line.name, line.is_removed) for line in player_rows(number)] == [("Ada", False), ("Bob", True)]
    assert program.submit(bob, create_room(clock), 5) == (200, {})  # removed from the first room only


@pytest.mark.long
def test_limited_room_continues_without_a_removed_player(program: Program, clock: Clock) -> None:
    number = create_room(clock, most_players=2)
    ada, bob = program.player("Ada"), program.player("Bob")
    program.submit(ada, number, 5)
    program.submit(bob, number, 6)
    program.submit(ada, number, 5)
    owner_services.remove_player(number, player_id(bob), now=clock())
    assert Room.objects.get(number=number).finished_rounds == 2  # everybody else had submitted
    program.refresh()
    assert program.refusal_message(program.submit(program.player(), number, 5)) == Refusal.FULL
    program.submit(ada, number, 5)
    assert Room.objects.get(number=number).finished_rounds == 3


def test_only_people_and_programs_in_the_room_can_be_removed(program: Program, clock: Clock) -> None:
    plan = RoomPlan(RoomTerms(), built_in_players=("last",))
    number = owner_services.create(factories.person(), plan, now=clock())
    house = RoomPlayer.objects.get().player_id
    for nobody in (house, player_id(program.player("Ada")), 10**6):
        with pytest.raises(Refused):
            owner_services.remove_player(number, nobody, now=clock())


# --- the end


@pytest.mark.long
def test_finished_room_has_a_podium_of_players_who_are_still_in_it(program: Program, clock: Clock) -> None:
    number = create_room(clock, rounds=2)
    first, second, third, removed = (program.player(name) for name in ("Prog", "Second", "Third", "Gone"))
    person = str(program.get_ok("/api/NewUser", nickName="Mia", secret=1)["userId"])
    for _ in range(2):
        program.submit(first, number, 20)
        for uid, played in ((second, 30), (third, 30), (person, 99), (removed, 35)):
            program.submit(uid, number, played)
        if not RoomRound.objects.filter(room__number=number, closed_at__isnull=False).exists():
            clock.advance(10)
            program.refresh()
    owner_services.remove_player(number, player_id(removed), now=clock())
    owner_services.close_round(number, UUID(program.round(number)), now=clock())
    shown = snapshot(number, clock())
    assert shown is not None
    podium = shown["room"]["podium"]
    assert podium["places"] == [[1, "Second", 10], [1, "Third", 10], [3, "Prog", 0]]  # both were nearest in both rounds
    assert (podium["players"], podium["more"]) == (4, 0)
    assert podium["persons"] == [[4, "Mia", -4]], "the best person is named whatever their points"
    assert sum(RoomPlayer.objects.values_list("points", flat=True)) == sum(
        row["score"] for row in program.get_ok("/api/TodayScore", roomid=number)["scoreList"]
    )


@pytest.mark.parametrize(
    ("scores", "named", "more", "tied"),
    [
        ((6, 6, 2), ["Person 0", "Person 1"], 0, True),
        ((6, 6, 6, 6, 2), ["Person 0", "Person 1", "Person 2"], 1, True),
        ((0, -2), ["Person 0"], 0, True),  # with a program
        ((-4, -2), ["Person 1"], 0, False),
        ((9, 6), [], 0, False),  # a person shares first place
        ((), [], 0, False),
    ],
)
def test_podium_names_the_people_who_share_the_best_place(
    scores: tuple[int, ...], named: list[str], more: int, tied: bool, clock: Clock
) -> None:
    room = Room.objects.get(number=create_room(clock))
    played = RoomRound.objects.create(
        room=room, guid=uuid4(), index=9, opened_at=clock(), seconds=10, closed_at=clock()
    )
    kinds = [(PlayerKind.PROGRAM, 9), (PlayerKind.PROGRAM, 0), *((PlayerKind.BROWSER, score) for score in scores)]
    for index, (kind, score) in enumerate(kinds):
        name = f"Person {index - 2}"
        player = services.create_player(name, RoomCaller("", clock()), kind)
        seat = RoomPlayer.objects.create(room=room, player=player, index=index, nickname=name, points=score)
        Pick.objects.create(round=played, room_player=seat, number1=5, gain=0)
    podium = podium_json(room)
    assert podium is not None
    assert ([name for _, name, _ in podium["persons"]], podium["more_persons"]) == (named, more)
    assert podium["persons_tied"] is tied


@pytest.mark.long
def test_shared_podium_counts_unnamed_players(program: Program, clock: Clock) -> None:
    number = create_room(clock, rounds=1)
    mia = str(program.get_ok("/api/NewUser", nickName="Mia", secret=1)["userId"])
    for uid in (program.player("Prog"), mia, *(program.player() for _ in range(7))):
        program.submit(uid, number, 20)
    clock.advance(10)
    program.refresh()
    shown = snapshot(number, clock())
    assert shown is not None
    podium = shown["room"]["podium"]
    assert [rank for rank, _, _ in podium["places"]] == [1] * 6
    assert (podium["more"], podium["persons"]) == (3, [])  # a person shares first place


def test_unplayed_room_has_no_podium(clock: Clock) -> None:
    number = create_room(clock)
    owner_services.close(number, now=clock())
    shown = snapshot(number, clock())
    assert shown is not None
    assert shown["room"]["podium"] is None
