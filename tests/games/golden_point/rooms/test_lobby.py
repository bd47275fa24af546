"""The lobby: people join a room with a nickname before they submit."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.live.snapshots import snapshot
from arena.games.golden_point.rooms.models import LobbyEntry, Player, Room
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.queries.rooms import membership
from arena.games.golden_point.rooms.rules import PlayerKind, Refusal, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom, RoomCaller
from arena.platform.refusal import Refused
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program

pytestmark = pytest.mark.django_db


def create_room(clock: Clock, **terms: int) -> int:
    plan = RoomPlan(RoomTerms(**{"seconds": 10, **terms}), started_by_hand=True)
    return owner_services.create(factories.person(), plan, now=clock())


def create_browser_player(clock: Clock, name: str) -> UUID:
    return services.create_player(name, RoomCaller("", clock()), PlayerKind.BROWSER).uid


def join(number: int, uid: UUID | None, clock: Clock) -> str:
    return services.join(number, uid, RoomCaller("", clock()))


def lobby_names(number: int, clock: Clock) -> list[str]:
    shown = snapshot(number, clock())
    assert shown is not None
    return list(shown["room"]["lobby"])


def test_joining_the_lobby_does_not_create_a_room_player(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), create_browser_player(clock, "Ada")
    before = Room.objects.get(number=number)
    assert join(number, ada, clock) == "Ada"
    assert join(number, ada, clock) == "Ada"
    assert join(number, create_browser_player(clock, "A\u0501a"), clock) == "A\u0501a 2"
    room = Room.objects.get(number=number)
    assert (room.version - before.version, room.event_seq - before.event_seq) == (2, 2)
    assert lobby_names(number, clock) == ["Ada", "A\u0501a 2"]
    assert membership(number, ada).lobby_name == "Ada"
    assert program.get_ok("/api/State", roomid=number)["currentUserCount"] == 0
    assert program.get_ok("/api/TodayScore", roomid=number)["scoreList"] == []


def test_first_submission_makes_a_player_with_the_lobby_name(program: Program, clock: Clock) -> None:
    number, ada = create_room(clock), create_browser_player(clock, "Ada")
    join(number, ada, clock)
    owner_services.start(number, now=clock())
    program.refresh()
    assert program.submit(program.player("Ada"), number, 5) == (200, {})
    assert program.submit(str(ada), number, 6) == (200, {})
    assert lobby_names(number, clock) == []
    clock.advance(10)
    program.refresh()
    played = program.get_ok("/api/TodayScore", roomid=number)["scoreList"]
    assert sorted(row["nickName"] for row in played) == ["Ada", "Ada 2"]
    assert program.get_ok("/api/State", uid=ada, roomid=number)["nickName"] == "Ada"
    assert membership(number, ada).player_index == 1
    assert join(number, ada, clock) == "Ada"
    assert not LobbyEntry.objects.exists()


@pytest.mark.long
def test_lobby_entry_can_be_renamed_left_and_removed(program: Program, clock: Clock) -> None:
    number, ada, bob = create_room(clock), create_browser_player(clock, "Ada"), create_browser_player(clock, "Bob")
    join(number, ada, clock)
    join(number, bob, clock)
    program.post("/api/NickName", uid=ada, nickName="Ida")
    assert lobby_names(number, clock) == ["Ida", "Bob"]
    services.leave(number, ada, RoomCaller("", clock()))
    assert lobby_names(number, clock) == ["Bob"]
    owner_services.rename_player(number, Player.objects.get(uid=bob).pk, "Rob", now=clock())
    assert lobby_names(number, clock) == ["Rob"]
    owner_services.remove_player(number, Player.objects.get(uid=bob).pk, now=clock())
    assert lobby_names(number, clock) == []
    with pytest.raises(Refused) as refused:
        join(number, bob, clock)
    assert Refusal.from_error(refused.value) is Refusal.REMOVED
    owner_services.start(number, now=clock())
    program.refresh()
    assert program.refusal_message(program.submit(str(bob), number, 5)) == Refusal.REMOVED


def test_join_is_refused_with_a_reason(program: Program, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    full = create_room(clock, most_players=1)
    join(full, create_browser_player(clock, "Ada"), clock)
    with_token = services.create_room(NewRoom(RoomTerms(), token="x"), clock())
    over = create_room(clock)
    owner_services.close(over, now=clock())
    bob, crowded = create_browser_player(clock, "Bob"), create_room(clock)
    monkeypatch.setattr(services, "MAX_LOBBY_ENTRIES", 0)
    for number, uid, refusal in (
        (full, bob, Refusal.FULL),
        (crowded, bob, Refusal.FULL),
        (with_token, bob, Refusal.WRONG_TOKEN),
        (over, bob, Refusal.FINISHED),
        (999, bob, Refusal.INVALID_ROOM),
        (crowded, None, Refusal.INVALID_UID),
        (crowded, UUID(program.player("Program")), Refusal.INVALID_UID),  # the ids of programs are public
    ):
        with pytest.raises(Refused) as refused:
            join(number, uid, clock)
        assert Refusal.from_error(refused.value) is refusal


def test_finished_room_has_an_empty_lobby(clock: Clock) -> None:
    number = create_room(clock)
    join(number, create_browser_player(clock, "Ada"), clock)
    owner_services.close(number, now=clock())
    assert lobby_names(number, clock) == []


def test_browser_joins_only_by_its_secret_id(client: Client) -> None:
    clock = Clock(timezone.now())
    number, ada = create_room(clock), create_browser_player(clock, "Ada")
    path = f"/rooms/{number}/lobby"
    assert client.get(f"{path}/join/").status_code == 405
    assert client.post(f"{path}/join/", {"uid": str(ada)}).json() == {"name": "Ada"}
    known = client.post(f"/rooms/{number}/membership.json", {"uid": str(ada)}).json()
    assert known == {"player": None, "lobby": "Ada", "removed": False}
    public = str(Player.objects.get(uid=ada).public_id)
    for wrong in (public, "", "x"):
        refused = client.post(f"{path}/leave/", {"uid": wrong})
        assert (refused.status_code, refused["Refusal-Code"]) == (400, "invalid_uid")
    assert lobby_names(number, clock) == ["Ada"]
    assert client.post(f"{path}/leave/", {"uid": str(ada)}).json() == {}
    assert lobby_names(number, clock) == []
