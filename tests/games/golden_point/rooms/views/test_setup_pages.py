"""People create rooms on the site, and a room's setup page offers each reader the actions that they may perform."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.bots import seating
from arena.games.golden_point.rooms.models import AddressOutcome, BotSeat, Room, RoomPlayer, SeatEnd, SeatStatus
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import PlayerKind, Refusal, RoomState, RoomTerms
from arena.games.golden_point.rooms.services import NewRoom, RoomCaller
from arena.platform.refusal import LIMIT
from arena.submissions.models import Bot
from tests import factories
from tests.note_codes import note_codes
from tests.refusals import codes_shown, form_codes

pytestmark = pytest.mark.django_db

WANTED = {
    "name": "Our class", "numbers": "2", "seconds": "5", "rounds": "10", "most_players": "20", "started_by_hand": "1",
    "token": "", "built_in_players": ["last", "trend"],
}  # fmt: skip


@pytest.fixture
def owner() -> User:
    return factories.person("teacher")


@pytest.fixture
def number(owner: User) -> int:
    return owner_services.create(owner, RoomPlan(RoomTerms(), "Our class", started_by_hand=True), now=timezone.now())


@pytest.fixture
def house_bot() -> Bot:
    bot = factories.bot(factories.person("house"), "golden_point", "Thinker")
    Bot.objects.filter(pk=bot.pk).update(is_house=True)
    return bot


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def get_page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


# --- creating a room


def test_signed_in_person_creates_a_room_with_bots_and_gets_its_link(owner: User, house_bot: Bot) -> None:
    mine = factories.bot(owner, "golden_point", "Mine")
    factories.bot(owner, "golden_point", "Unfit", playable=False)
    client = client_of(owner)
    form = get_page(client, "/rooms/new/")
    assert "Mine v1" in form
    assert "Thinker" in form
    assert "Unfit" not in form
    made = client.post("/rooms/new/", {**WANTED, "mine": [mine.pk], "house": [house_bot.pk]})
    room = Room.objects.get()
    assert made.url == f"/rooms/{room.number}/setup/"
    assert (room.owner, room.terms, room.state) == (owner, RoomTerms(2, 5, 20, 10), RoomState.WAITING)
    assert list(RoomPlayer.objects.values_list("strategy", flat=True)) == ["last", "trend"]
    assert set(BotSeat.objects.values_list("submission__bot", flat=True)) == {mine.pk, house_bot.pk}
    shown = get_page(client, made.url)
    assert f"http://testserver/rooms/{room.number}/" in shown
    assert "<svg " in shown
    assert 'data-status="waiting"' in shown


def test_visitor_is_redirected_to_sign_in() -> None:
    assert Client().get("/rooms/new/").url.startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("seconds", "2", "min_value"),
        ("seconds", "", "required"),
        ("most_players", "201", "max_value"),
        ("most_players", "1", "too_few_places"),
        ("rounds", "-1", "min_value"),
        ("numbers", "3", "invalid_choice"),
        ("built_in_players", ["nonsense"], "invalid_choice"),
        ("name", "a\u202eb", "characters"),
        ("name", "x" * 61, "max_length"),
    ],
)
def test_invalid_form_reports_the_error_and_keeps_the_input(owner: User, field: str, value: object, code: str) -> None:
    answer = client_of(owner).post("/rooms/new/", {**WANTED, field: value})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert form_codes(answer, field) == [code]
    assert re.search(r'name="token"', text)
    assert ('value="Our class"' in text) == (field != "name")
    assert not Room.objects.exists()


def test_exceeded_limit_is_reported_with_retry_after(owner: User, settings: object) -> None:
    settings.ROOMS_OPEN = 0  # type: ignore[attr-defined]
    answer = client_of(owner).post("/rooms/new/", WANTED)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert form_codes(answer) == [LIMIT]


# --- the setup page


def test_room_created_by_a_program_has_a_setup_page(client: Client) -> None:
    number = services.create_room(NewRoom(RoomTerms(2, 30)), timezone.now())
    shown = get_page(client, f"/rooms/{number}/setup/")
    assert f"http://testserver/rooms/{number}/" in shown
    assert "Your room" not in shown
    assert get_page(client, "/rooms/999/setup/", 404)


def test_anyone_can_start_a_room_without_owner(client: Client) -> None:
    number = services.create_room(NewRoom(RoomTerms(), started_by_hand=True), timezone.now())
    assert f'action="/rooms/{number}/start/"' in get_page(client, f"/rooms/{number}/setup/")
    client.post(f"/rooms/{number}/start/")
    assert Room.objects.get().state == RoomState.RUNNING


def test_script_starts_a_room_without_redirect(number: int, owner: User) -> None:
    script = {"headers": {"Accept": "application/json"}}
    assert client_of(owner).post(f"/rooms/{number}/start/", **script).json() == {"text": "", "closed": 0}
    assert Room.objects.get().state == RoomState.RUNNING
    refused = client_of(factories.person()).post(f"/rooms/{number}/start/", **script)
    assert refused.status_code == 403


@pytest.mark.long
def test_programs_uid_is_required_to_start_its_room(client: Client) -> None:
    uid = services.create_player("Program", RoomCaller("", timezone.now())).uid
    number = services.create_room(NewRoom(RoomTerms(), creator=uid, started_by_hand=True), timezone.now())
    for path in ("", "setup/"):
        assert 'name="uid"' in get_page(client, f"/rooms/{number}/{path}")
    for wrong in ("", "x", str(services.create_player("Other", RoomCaller("", timezone.now())).uid)):
        refused = client.post(f"/rooms/{number}/start/", {"uid": wrong}, follow=True)
        assert codes_shown(refused)[0] in ("invalid_uid", "not_creator")
    assert Room.objects.get().state == RoomState.WAITING
    assert client.post(f"/rooms/{number}/start/", {"uid": str(uid)}).url == f"/rooms/{number}/"
    assert Room.objects.get().state == RoomState.RUNNING
    assert f'action="/rooms/{number}/start/"' not in get_page(client, f"/rooms/{number}/")


@pytest.mark.parametrize("reader", ["anonymous", "other student", "organizer", "owner", "staff"])
def test_only_owner_and_staff_see_the_start_button(number: int, owner: User, reader: str) -> None:
    people = {"owner": owner, "other student": factories.person(), "organizer": factories.person(role=Role.ORGANIZER)}
    people["staff"] = factories.person(is_staff=True)
    client = client_of(people[reader]) if reader in people else Client()
    assert (f'action="/rooms/{number}/start/"' in get_page(client, f"/rooms/{number}/")) is (
        reader in {"owner", "staff"}
    )


POSTS = ["start", "close", "name", "residents", "residents/last/rest"]


@pytest.mark.parametrize("what", POSTS)
def test_only_owner_and_staff_can_change_a_room(number: int, owner: User, what: str) -> None:
    others = [factories.person(), factories.person(role=Role.ORGANIZER)]
    path, data = f"/rooms/{number}/{what}/", {"name": "New", "built_in_players": ["last"]}
    before = Room.objects.values().get()
    for other in others:
        assert client_of(other).post(path, data).status_code == 403
    assert Client().post(path, data).status_code in (302, 403)
    assert Room.objects.values().get() == before
    assert client_of(owner).post(path, data).url == f"/rooms/{number}/{'' if what == 'start' else 'setup/'}"
    assert Room.objects.values().get() != before
    assert client_of(factories.person(is_staff=True)).post(path, data).status_code in (302, 422)


def test_permanent_rooms_cannot_be_closed_even_by_staff() -> None:
    services.ensure_permanent_rooms(timezone.now())
    client = client_of(factories.person(is_staff=True))
    assert "Your room" not in get_page(client, "/rooms/0/setup/")
    assert client.post("/rooms/0/close/").status_code == 404
    assert Room.objects.get(number=0).state == RoomState.RUNNING


def test_token_is_shown_only_to_the_owner(owner: User) -> None:
    number = owner_services.create(owner, RoomPlan(RoomTerms(), token="geheim"), now=timezone.now())
    assert "geheim" in get_page(client_of(owner), f"/rooms/{number}/setup/")
    assert "geheim" not in get_page(Client(), f"/rooms/{number}/setup/")


def test_invalid_name_is_rejected_on_the_page(number: int, owner: User) -> None:
    answer = client_of(owner).post(f"/rooms/{number}/name/", {"name": "x" * 61})
    assert answer.status_code == 422
    assert "at most 60" in answer.content.decode()


def test_finished_room_shows_its_status_and_no_controls(number: int, owner: User) -> None:
    client = client_of(owner)
    client.post(f"/rooms/{number}/close/")
    shown = get_page(client, f"/rooms/{number}/setup/")
    assert 'data-status="finished"' in shown
    assert f'action="/rooms/{number}/close/"' not in shown
    assert codes_shown(client.post(f"/rooms/{number}/start/")) == ["room_closed"]


# --- bots


@pytest.mark.long
def test_student_can_seat_and_withdraw_a_bot_in_any_open_room(number: int) -> None:
    student = factories.person()
    bot = factories.bot(student, "golden_point", "Mine")
    client = client_of(student)
    assert client.post(f"/rooms/{number}/seats/", {"bot": bot.pk}).url == f"/rooms/{number}/setup/"
    seat = BotSeat.objects.get()
    assert (seat.submission, seat.seated_by, seat.player.nickname) == (bot.active, student, "Mine")
    assert f'href="/rooms/{number}/setup/"' in get_page(client, f"/bots/{bot.pk}/")
    again = client.post(f"/rooms/{number}/seats/", {"bot": bot.pk})
    assert [error.code for error in again.context["seat_form"].errors.as_data()["bot"]] == ["already_seated"]
    for stranger in (Client(), client_of(factories.person())):
        assert stranger.post(f"/rooms/seats/{seat.pk}/leave/").status_code in (302, 403)
    seat.refresh_from_db()
    assert seat.status == SeatStatus.WAITING
    client.post(f"/rooms/seats/{seat.pk}/leave/")
    seat.refresh_from_db()
    assert (seat.status, seat.ended_by) == (SeatStatus.ENDED, SeatEnd.TAKEN)


def test_owner_can_remove_any_bot(number: int, owner: User) -> None:
    bot = factories.bot(game="golden_point")
    seat = seating.seat_bot(number, bot.pk, bot.owner, now=timezone.now())
    client_of(owner).post(f"/rooms/seats/{seat}/leave/")
    assert BotSeat.objects.get().ended_by == SeatEnd.TAKEN


def test_only_own_bots_can_be_seated_and_house_bots_only_by_the_owner(number: int, owner: User, house_bot: Bot) -> None:
    student = factories.person()
    factories.bot(student, "golden_point")
    others = factories.bot(game="golden_point")
    for person, bot in ((student, others), (student, house_bot), (owner, others)):
        assert client_of(person).post(f"/rooms/{number}/seats/", {"bot": bot.pk}).status_code == 422
    assert not BotSeat.objects.exists()
    assert client_of(owner).post(f"/rooms/{number}/seats/", {"bot": house_bot.pk}).status_code == 302


def test_only_the_owner_can_seat_bots_in_a_room_with_token(owner: User) -> None:
    number = owner_services.create(owner, RoomPlan(RoomTerms(), token="geheim"), now=timezone.now())
    student = factories.person()
    bot = factories.bot(student, "golden_point")
    assert client_of(student).post(f"/rooms/{number}/seats/", {"bot": bot.pk}).status_code == 422
    assert "owner_only" in note_codes(get_page(client_of(student), f"/rooms/{number}/setup/"))
    assert not BotSeat.objects.exists()


@pytest.mark.long
def test_details_of_a_fault_are_shown_only_to_author_and_staff(number: int, owner: User) -> None:
    bot = factories.bot(game="golden_point")
    seat = seating.seat_bot(number, bot.pk, bot.owner, now=timezone.now())
    fault = {
        "kind": "crash", "message": "ZeroDivisionError: division by zero", "traceback": "Traceback", "file": "main.py",
        "line": 2, "source_line": "return 1 / 0", "turn": 3, "attempt": 1, "answer": "", "seconds": 0.1, "cpu": 0.1,
        "wall": 0.1, "printed": [0, None],
    }  # fmt: skip
    BotSeat.objects.update(
        status=SeatStatus.ENDED, ended_by=SeatEnd.FAULT, ended_at=timezone.now(), diagnosis=fault, log=b"printed this"
    )
    inside = get_page(client_of(bot.owner), f"/rooms/seats/{seat}/")
    for text in ("division by zero", "return 1 / 0", "printed this", "Fault"):
        assert text in inside
    assert "division by zero" in get_page(client_of(factories.person(is_staff=True)), f"/rooms/seats/{seat}/")
    assert get_page(client_of(owner), f"/rooms/seats/{seat}/", 403)
    assert Client().get(f"/rooms/seats/{seat}/").status_code == 302
    link = f'href="/rooms/seats/{seat}/"'
    assert link in get_page(client_of(bot.owner), f"/rooms/{number}/setup/")
    assert link not in get_page(Client(), f"/rooms/{number}/setup/")
    assert "Fault" in get_page(Client(), f"/rooms/{number}/setup/")


# --- network addresses


@pytest.fixture
def room_with_warning(owner: User) -> int:
    """Return a room in which somebody tried to use another player's id from a different address."""
    number = owner_services.create(owner, RoomPlan(RoomTerms(seconds=200), "Our class"), now=timezone.now())
    uid = str(services.create_player("Ada", RoomCaller("home", timezone.now())).uid)
    rid = str(Room.objects.get(number=number).room_rounds.get().guid)
    refused = submit_all([SentPick(uid, rid, "5", origin="elsewhere")], timezone.now)
    assert [receipt.refusal for receipt in refused] == [Refusal.ELSEWHERE]
    return number


@pytest.mark.long
def test_address_warnings_are_shown_only_to_the_owner(owner: User, room_with_warning: int) -> None:
    client = client_of(owner)
    assert "other_address" in note_codes(get_page(client, f"/rooms/{room_with_warning}/"))
    shown = get_page(client, f"/rooms/{room_with_warning}/setup/")
    assert re.search(rf"<strong>Ada</strong> · .*: {AddressOutcome.REFUSED.label}", shown)
    for other in (Client(), client_of(factories.person("other"))):
        assert "other_address" not in note_codes(get_page(other, f"/rooms/{room_with_warning}/"))
        assert 'id="addresses-title"' not in get_page(other, f"/rooms/{room_with_warning}/setup/")


@pytest.mark.long
def test_owner_can_toggle_address_binding_of_ids(owner: User, room_with_warning: int) -> None:
    client, path = client_of(owner), f"/rooms/{room_with_warning}/addresses/"
    assert re.search(r'name="binds"[^>]* checked', get_page(client, f"/rooms/{room_with_warning}/setup/"))
    assert client.post(path, {}).status_code == 302
    assert not Room.objects.get(number=room_with_warning).binds_ids
    assert not re.search(r'name="binds"[^>]* checked', get_page(client, f"/rooms/{room_with_warning}/setup/"))
    assert client.post(path, {"binds": "on"}).status_code == 302
    assert Room.objects.get(number=room_with_warning).binds_ids
    assert client_of(factories.person("other")).post(path, {}).status_code == 403
    assert Room.objects.get(number=room_with_warning).binds_ids


def test_page_finds_its_own_player_by_secret_id(client: Client, owner: User) -> None:
    number = owner_services.create(owner, RoomPlan(RoomTerms(), built_in_players=("last",)), now=timezone.now())
    uid = str(services.create_player("Ada", RoomCaller("", timezone.now()), PlayerKind.BROWSER).uid)
    path = f"/rooms/{number}/membership.json"
    nobody = {"player": None, "lobby": None, "removed": False}
    assert client.post(path, {"uid": uid}).json() == nobody
    submit_all([SentPick(uid, str(Room.objects.get(number=number).room_rounds.get().guid), "5")], timezone.now)
    assert client.post(path, {"uid": uid}).json() == {**nobody, "player": 1}
    assert client.post(path, {"uid": "nonsense"}).json() == nobody
    assert client.get(path, {"uid": uid}).status_code == 405
