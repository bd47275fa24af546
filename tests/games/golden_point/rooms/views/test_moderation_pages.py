"""Only the owner and staff can moderate a running room, and only they see the controls for it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.models import Player, Removal, Room, RoomPlayer, RoomRound
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import PlayerKind, RoomState, RoomTerms
from arena.games.golden_point.rooms.services import RoomCaller
from tests import factories

pytestmark = pytest.mark.django_db

SCRIPT = {"HTTP_ACCEPT": "application/json"}
_ONLY_PROJECTED = 'room__projected" data-part="unreachable"'


@pytest.fixture
def owner() -> User:
    return factories.person("teacher")


@pytest.fixture
def number(owner: User) -> int:
    """Return the number of a running room in which Ada has submitted a pick."""
    number = owner_services.create(owner, RoomPlan(RoomTerms(seconds=60), "Our class"), now=timezone.now())
    ada = services.create_player("Ada", RoomCaller("", timezone.now()), PlayerKind.BROWSER)
    (receipt,) = submit_all([SentPick(str(ada.uid), round_id(number), "5")], timezone.now)
    assert receipt.refusal is None
    return number


def round_id(number: int) -> str:
    return str(RoomRound.objects.get(room__number=number, closed_at=None).guid)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def moderation_requests(number: int) -> dict[str, dict[str, object]]:
    ada = Player.objects.get(nickname="Ada").pk
    return {
        "pause/": {},
        "resume/": {},
        "close-round/": {"round": round_id(number)},
        "length/": {"seconds": 30},
        f"players/{ada}/name/": {"name": "Ida"},
        f"players/{ada}/remove/": {},
    }


def all_rows() -> list[object]:
    return [list(rows.values()) for rows in (Room.objects, RoomRound.objects, RoomPlayer.objects, Removal.objects)]


@pytest.mark.long
def test_only_owner_and_staff_can_moderate(number: int, owner: User) -> None:
    before = all_rows()
    for path, data in moderation_requests(number).items():
        for other in (factories.person(), factories.person(role=Role.ORGANIZER)):
            assert client_of(other).post(f"/rooms/{number}/{path}", data).status_code == 403
        assert Client().post(f"/rooms/{number}/{path}", data).status_code == 302
        assert Client(enforce_csrf_checks=True).post(f"/rooms/{number}/{path}", data).status_code == 403
        assert client_of(owner).get(f"/rooms/{number}/{path}").status_code == 405
    assert all_rows() == before
    for decider in (owner, factories.person(is_staff=True)):
        for path, data in moderation_requests(number).items():
            if path == "resume/":
                assert Room.objects.get().state == RoomState.PAUSED
            assert client_of(decider).post(f"/rooms/{number}/{path}", data).status_code == 302
            Player.objects.update(nickname="Ada")
    assert [row.nickname for row in RoomPlayer.objects.all()] == ["Ida"]
    assert Removal.objects.count() == 1
    room = Room.objects.get()
    assert (room.state, room.finished_rounds, room.seconds) == (RoomState.RUNNING, 1, 30)


def test_staff_cannot_pause_permanent_rooms() -> None:
    services.ensure_permanent_rooms(timezone.now())
    staff = client_of(factories.person(is_staff=True))
    assert staff.post("/rooms/0/pause/").status_code == 404
    assert 'action="/rooms/0/pause/"' not in staff.get("/rooms/0/").content.decode()


@pytest.mark.long
def test_script_gets_json_responses_without_redirect(number: int, owner: User) -> None:
    client = client_of(owner)
    late = round_id(number)
    closed = client.post(f"/rooms/{number}/close-round/", {"round": late}, **SCRIPT)
    assert (closed.status_code, closed.json()["closed"]) == (200, 1)
    restarted = client.post(f"/rooms/{number}/close-round/", {"round": round_id(number)}, **SCRIPT).json()
    assert restarted["closed"] == 0
    assert restarted["text"] != closed.json()["text"] != ""
    for wrong in (late, "", "x"):
        answer = client.post(f"/rooms/{number}/close-round/", {"round": wrong}, **SCRIPT)
        assert (answer.status_code, answer.json()["code"]) == (409, "round_closed")
    assert client.post(f"/rooms/{number}/length/", {"seconds": 2}, **SCRIPT).status_code == 409
    assert Room.objects.get().finished_rounds == 1


@pytest.mark.long
def test_page_shows_controls_only_to_moderators(number: int, owner: User) -> None:
    for client, offered in ((client_of(owner), True), (client_of(factories.person()), False), (Client(), False)):
        shown = client.get(f"/rooms/{number}/").content.decode()
        assert (f'action="/rooms/{number}/pause/"' in shown) is offered
        players = client.get(f"/rooms/{number}/setup/").content.decode()
        assert ("Remove: Ada" in players.replace('<span class="visually-hidden">', "")) is offered


@pytest.mark.long
def test_finished_room_shows_the_podium_and_no_invitation(number: int, owner: User) -> None:
    client = client_of(owner)
    assert "join-qr" in client.get(f"/rooms/{number}/").content.decode()
    client.post(f"/rooms/{number}/close-round/", {"round": round_id(number)})
    client.post(f"/rooms/{number}/close/")
    shown = Client().get(f"/rooms/{number}/").content.decode()
    assert "join-qr" not in shown
    assert "Invite" not in shown
    assert re.search(r'<li class="podium__place" data-rank="1">.*?<strong class="podium__name">Ada</strong>', shown)


def test_removed_players_are_not_counted(number: int, owner: User) -> None:
    client = client_of(owner)
    for player in (Player.objects.get().pk, None):
        shown = client.get(f"/rooms/{number}/setup/").content.decode()
        assert ("1 player," in shown, "0 players," in shown) == (player is not None, player is None)
        if player is not None:
            owner_services.remove_player(number, player, now=timezone.now())


@pytest.mark.parametrize(("host", "warned"), [("localhost:8000", True), ("192.168.1.7", False)])
def test_owner_is_warned_about_addresses_that_other_devices_cannot_open(
    number: int, owner: User, host: str, warned: bool, settings: object
) -> None:
    settings.ALLOWED_HOSTS = ["*"]  # type: ignore[attr-defined]
    for path in ("", "setup/"):
        shown = client_of(owner).get(f"/rooms/{number}/{path}", HTTP_HOST=host).content.decode()
        assert ('data-part="unreachable"' in shown) is warned
        assert _ONLY_PROJECTED not in shown


def test_guests_see_the_warning_about_the_address_only_on_a_projector(number: int, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["*"]  # type: ignore[attr-defined]
    services.ensure_permanent_rooms(timezone.now())
    for room in (number, 0):
        assert _ONLY_PROJECTED in Client().get(f"/rooms/{room}/", HTTP_HOST="localhost").content.decode()
        setup = Client().get(f"/rooms/{room}/setup/", HTTP_HOST="localhost").content.decode()
        assert 'data-part="unreachable"' not in setup


def test_only_those_who_run_a_room_are_asked_to_invite_players(number: int, owner: User) -> None:
    for client, asked in ((client_of(owner), True), (client_of(factories.person()), False), (Client(), False)):
        shown = client.get(f"/rooms/{number}/").content.decode()
        assert ("Invite players" in shown, 'class="room__guest-links"' in shown) == (asked, not asked)


@pytest.mark.long
def test_list_of_players_shows_what_was_changed_in_it(number: int, owner: User) -> None:
    """A change scrolls to the list, so a message at the top of the page would be out of view."""
    client, ada = client_of(owner), Player.objects.get()
    for path, data, named in (("name/", {"name": "Ida"}, "Ida"), ("remove/", {}, "Ida"), ("name/", {"name": " "}, "")):
        answer = client.post(f"/rooms/{number}/players/{ada.pk}/{path}", data, follow=True)
        before, _, after = answer.content.decode().partition('id="players-title"')
        assert answer.redirect_chain[-1][0].endswith("#players-title")
        assert 'class="messages"' not in before
        assert after.count('<li class="notice') == 1
        assert named in after.partition('<li class="notice')[2].partition("</li>")[0]
    elsewhere = client.post(f"/rooms/{number}/length/", {"seconds": 30}, follow=True).content.decode()
    assert 'class="messages"' in elsewhere.partition('id="players-title"')[0]
    assert 'class="messages"' not in elsewhere.partition('id="players-title"')[2]
