"""The pages of a duel work with and without an account, and with and without JavaScript."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arena.matches.models import Match, MatchStatus
from arena.play import queries
from arena.play.models import Duel, DuelTurn, Hint
from tests.factories import bot, person
from tests.play.duels import create_duel, house_bot
from tests.refusals import codes_shown, form_codes

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}
NO_TIME = {"seconds": 1.0, "cpu": 0.0, "wall": 1.0, "refused": 0, "fault": None}
CHOSEN = {"seat": "0", "clock": "600"}


def start_duel(client: Client) -> Match:
    """Request a duel through the form, and mark its match as started by a worker."""
    ours = house_bot()
    answer = client.post(reverse("play"), {"level": ours.pk, **CHOSEN})
    assert answer.status_code == 302, answer.content.decode()
    match = Match.objects.latest("pk")
    assert answer.url == reverse("duel", args=[match.pk])
    Match.objects.update(status=MatchStatus.RUNNING)
    return match


def post_move(client: Client, match: Match, square: str, turn: int = 1, **headers: str) -> tuple[int, str]:
    answer = client.post(reverse("duel-move", args=[match.pk]), {"turn": turn, "move": square}, **headers)
    return answer.status_code, answer.content.decode()


@pytest.mark.long
@pytest.mark.parametrize("signed_in", [True, False])
def test_game_is_started_and_played(client: Client, signed_in: bool) -> None:
    if signed_in:
        client.force_login(person())
    match = start_duel(client)
    page = client.get(reverse("duel", args=[match.pk])).content.decode()
    assert 'name="move" value="&quot;D3&quot;"' in page
    assert 'data-state="my_turn"' in page
    assert post_move(client, match, "A1", **JSON)[0] == 409
    assert post_move(client, match, "D3", **JSON) == (200, '{"move": "D3"}')
    assert Duel.objects.get().answer == "D3"
    assert 'data-state="answered"' in client.get(reverse("duel", args=[match.pk])).content.decode()
    assert 'data-note="unfinished_game"' in client.get(reverse("play")).content.decode()


@pytest.mark.long
def test_match_page_recognizes_the_guest_who_played(client: Client) -> None:
    address = reverse("match", args=[start_duel(client).pk])
    assert client.get(address).context["snapshot"]["reader"] == {"seat": 0, "is": "person"}
    assert client.get(address, {"view": "projector"}).context["snapshot"]["reader"] is None
    stranger = Client()
    start_duel(stranger)
    assert stranger.get(address).context["snapshot"]["reader"] is None
    assert Client().get(address).context["snapshot"]["reader"] is None


def post_for_script(client: Client, name: str, match: Match, **fields: object) -> tuple[int, str | None, str]:
    """Post as a script does; return the response's status, Retry-After header and error code."""
    answer = client.post(reverse(name, args=[match.pk]), fields, **JSON)
    return answer.status_code, answer.headers.get("Retry-After"), answer.json().get("code", "")


def test_move_sent_before_its_turn_is_stored_can_be_retried(client: Client) -> None:
    """A move is refused while the previous turn has been announced but not stored; the same move is accepted later."""
    match = start_duel(client)
    turns = [{"seat": seat, "move": move, **NO_TIME} for seat, move in enumerate(("D3", "C3"))]
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=turns[:1])
    code, again, why = post_for_script(client, "duel-move", match, turn=3, move="C4")
    assert (code, again) == (409, "1")
    assert why == "being_stored"
    assert post_for_script(client, "duel-hint", match, turn=3)[:2] == (409, "1")
    assert Duel.objects.get().answer is None
    DuelTurn.objects.create(duel_id=match.pk, number=2, moves=turns[1:])
    for _ in range(2):  # like a page that does not know whether its first request arrived
        assert post_for_script(client, "duel-move", match, turn=3, move="C4")[0] == 200
    assert (Duel.objects.get().answer_turn, Duel.objects.get().answer) == (3, "C4")


@pytest.mark.parametrize(
    ("turn", "square", "reason"),
    [(1, "C3", "stale_turn"), (2, "C3", "not_your_turn"), (0, "D3", "stale_turn")],
)
def test_outdated_move_is_refused_permanently(client: Client, turn: int, square: str, reason: str) -> None:
    match = start_duel(client)
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=[{"seat": 0, "move": "D3", **NO_TIME}])
    code, again, why = post_for_script(client, "duel-move", match, turn=turn, move=square)
    assert (code, again) == (409, None)
    assert why == reason


def test_second_answer_to_a_turn_is_refused_permanently(client: Client) -> None:
    match = start_duel(client)
    assert post_move(client, match, "D3", **JSON)[0] == 200
    assert post_for_script(client, "duel-move", match, turn=1, move="C4") == (409, None, "already_played")


def test_resigning_after_the_end_is_refused(client: Client) -> None:
    match = start_duel(client)
    Match.objects.update(status=MatchStatus.CANCELLED)
    answer = client.post(reverse("duel-resign", args=[match.pk]), follow=True)
    assert codes_shown(answer) == ["game_over"]


def test_refusal_is_shown_without_javascript(client: Client) -> None:
    match = start_duel(client)
    answer = client.post(reverse("duel-move", args=[match.pk]), {"turn": "x", "move": "D3"}, follow=True)
    assert codes_shown(answer) == ["stale_turn"]


@pytest.mark.long
def test_others_can_watch_the_match_but_not_act(client: Client) -> None:
    match = start_duel(client)
    stranger, staff = Client(), Client()
    staff.force_login(person(is_staff=True))
    for other in (stranger, staff):
        assert other.get(reverse("duel", args=[match.pk])).url == reverse("match", args=[match.pk])
        assert "Guest" in other.get(reverse("match", args=[match.pk])).content.decode()
        for name in ("duel-move", "duel-resign", "duel-hint", "duel-rematch"):
            assert other.post(reverse(name, args=[match.pk]), {"turn": 1, "move": "D3"}).status_code == 404
        assert other.get(reverse("duel-snapshot", args=[match.pk])).status_code == 404
    assert Duel.objects.get().answer is None


def test_guest_keeps_the_game_after_signing_in(client: Client) -> None:
    match = start_duel(client)
    client.force_login(person())
    assert post_move(client, match, "D3", **JSON)[0] == 200


def test_other_accounts_cannot_move(client: Client) -> None:
    match = create_duel(person())
    client.force_login(person())
    assert post_move(client, match, "D3")[0] == 404


def test_csrf_token_is_required() -> None:
    strict = Client(enforce_csrf_checks=True)
    match = create_duel(person())
    assert strict.post(reverse("duel-move", args=[match.pk]), {}).status_code == 403
    assert strict.post(reverse("play"), CHOSEN).status_code == 403


def test_snapshot_contains_the_elapsed_thinking_time(client: Client) -> None:
    match = start_duel(client)
    found = client.get(reverse("duel-snapshot", args=[match.pk])).json()
    assert found["table"]["seat"] == 0
    assert found["since"] == 0.0
    assert found["seats"][0]["clock"] == 600


def test_hint_is_requested_once_a_turn_and_shown_when_ready(client: Client) -> None:
    match = start_duel(client)
    url = reverse("duel-hint", args=[match.pk])
    assert client.post(url, **JSON).json() == {"turn": 1, "hint": None}
    Hint.objects.update(answer="E6")
    assert client.post(url, **JSON).json() == {"turn": 1, "hint": {"answer": "E6", "label": "E6", "more": False}}
    assert "Hint: E6" in client.get(reverse("duel", args=[match.pk])).content.decode()
    turn = {"seat": 0, "move": "E6", "seconds": 1.0, "cpu": 0.0, "wall": 1.0, "refused": 0, "fault": None}
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=[turn])
    assert client.post(url, **JSON).status_code == 409


def test_rematch_is_offered_after_the_end(client: Client) -> None:
    match = start_duel(client)
    Match.objects.update(status=MatchStatus.CANCELLED)
    page = client.get(reverse("duel", args=[match.pk])).content.decode()
    assert reverse("duel-rematch", args=[match.pk]) in page
    answer = client.post(reverse("duel-rematch", args=[match.pk]))
    again = Match.objects.exclude(pk=match.pk).get()
    assert answer.url == reverse("duel", args=[again.pk])


def test_page_rendered_while_the_game_ends_shows_the_end(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page and its snapshot must agree that the match has ended, because no further event would report it."""
    match = start_duel(client)
    read = queries.duel_page

    def cancel_after_read(match_id: int) -> queries.DuelPage | None:
        table = read(match_id)
        Match.objects.filter(pk=match_id).update(status=MatchStatus.CANCELLED)
        return table

    monkeypatch.setattr(queries, "duel_page", cancel_after_read)
    page = client.get(reverse("duel", args=[match.pk]))
    assert page.context["snapshot"]["match"]["status"] == MatchStatus.RUNNING
    assert not page.context["table"].is_over


def test_waiting_person_sees_the_queue_position(client: Client) -> None:
    create_duel(person())
    start_duel(client)
    Match.objects.update(status=MatchStatus.QUEUED)
    page = client.get(reverse("duel", args=[Match.objects.latest("pk").pk])).content.decode()
    assert 'data-ahead="1"' in page


def test_invalid_game_requests_are_explained_in_the_form(client: Client) -> None:
    ours = house_bot()
    answer = client.post(reverse("play"), {"level": "other", **CHOSEN})
    assert answer.status_code == 422
    client.post(reverse("play"), {"level": ours.pk, **CHOSEN})
    answer = client.post(reverse("play"), {"level": ours.pk, **CHOSEN})
    assert answer.status_code == 422
    assert form_codes(answer) == ["match_in_progress"]


def test_page_explains_missing_house_bots(client: Client) -> None:
    assert 'data-empty="none"' in client.get(reverse("play")).content.decode()


def test_link_from_a_bot_page_preselects_the_bot(client: Client) -> None:
    beginner, corners = house_bot(), house_bot("Corners", None)
    page = client.get(reverse("play"), {"against": corners.pk}).content.decode()
    assert f'value="{corners.pk}" selected' in page
    page = client.get(reverse("play"), {"against": beginner.pk}).content.decode()
    assert 'value="other" required checked' not in page


@pytest.mark.long
def test_author_decides_whether_people_may_play_the_bot(client: Client) -> None:
    ann = person()
    mine = bot(ann, name="Mine")
    client.force_login(ann)
    edit = reverse("bot-edit", args=[mine.pk])
    assert "checked" in client.get(edit).content.decode()
    assert f"?against={mine.pk}" in client.get(reverse("bot", args=[mine.pk])).content.decode()
    client.post(edit, {"name": "Mine", "description": ""})
    assert f"?against={mine.pk}" not in client.get(reverse("bot", args=[mine.pk])).content.decode()
    assert "Mine" not in client.get(reverse("play")).content.decode()
    client.post(edit, {"name": "Mine", "description": "", "plays_people": "on"})
    assert "Mine" in client.get(reverse("play")).content.decode()


def test_games_with_their_own_pages_are_linked(client: Client) -> None:
    page = client.get(reverse("play")).content.decode()
    nav = page.partition('<nav class="cluster"')[2].partition("</nav>")[0]
    assert f'href="{reverse("room-list")}"' in nav
