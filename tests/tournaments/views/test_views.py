"""The tournament pages for each kind of reader."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from arena.accounts.models import Role, User
from arena.core.ranking.tiebreaks import Tiebreak
from arena.tournaments.formats.tiebreak_texts import TEXTS
from arena.tournaments.models import EntryStatus, Format, Tournament, TournamentStatus
from arena.tournaments.services import controls
from tests import factories
from tests.note_codes import note_codes
from tests.refusals import codes_shown, form_codes
from tests.tournaments.form_data import answers
from tests.tournaments.harness import TournamentHarness

HOUR = timedelta(hours=1)


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def readers(stage: TournamentHarness) -> dict[str, User | None]:
    return {
        "anonymous": None,
        "student": factories.person(),
        "other organizer": factories.person(role=Role.ORGANIZER),
        "organizer": stage.organizer,
        "staff": factories.person(is_staff=True),
    }


READERS = ("anonymous", "student", "other organizer", "organizer", "staff")
RUN_IT = {"organizer", "staff"}


def read_page(client: Client, name: str, *args: int) -> tuple[int, str]:
    response = client.get(reverse(name, args=args))
    return response.status_code, response.content.decode()


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("control", ["start", "pause", "resume", "cancel", "house-bots", "invite"])
def test_only_organizer_and_staff_can_control_a_tournament(
    stage: TournamentHarness, readers, reader: str, control: str
) -> None:
    tournament = stage.start_tournament(3) if control in ("pause", "resume") else stage.create_tournament()
    response = client_of(readers[reader]).post(reverse(f"tournament-{control}", args=[tournament.pk]))
    if reader == "anonymous":
        assert response.status_code == 302
        assert response.url.startswith(reverse("login"))
    else:
        done = 422 if control == "invite" else 302  # an empty list of invitees shows the form again
        assert response.status_code == (done if reader in RUN_IT else 403)


@pytest.mark.parametrize("reader", READERS)
def test_only_organizers_and_staff_create_and_edit_tournaments(stage: TournamentHarness, readers, reader: str) -> None:
    client = client_of(readers[reader])
    tournament = stage.create_tournament()
    new, _ = read_page(client, "tournament-new")
    edit, _ = read_page(client, "tournament-edit", tournament.pk)
    expected = {
        "anonymous": (302, 302),
        "student": (403, 403),
        "other organizer": (200, 403),
        "organizer": (200, 200),
        "staff": (200, 200),
    }
    assert (new, edit) == expected[reader]


@pytest.mark.long
def test_every_status_has_a_page_for_every_reader(stage: TournamentHarness, readers) -> None:
    clients = {reader: client_of(readers[reader]) for reader in READERS}
    tournament = stage.create_tournament(starts_at=None)

    def expect_note(note: str, *, can_be_cancelled: bool = True) -> None:
        for reader, client in clients.items():
            status, text = read_page(client, "tournament", tournament.pk)
            assert (status, note in note_codes(text)) == (200, True), (reader, note)
            offers_cancelling = reverse("tournament-cancel", args=[tournament.pk]) in text
            assert offers_cancelling is (reader in RUN_IT and can_be_cancelled), (reader, note)

    expect_note("empty")
    stage.enter_bots(tournament, 1)
    expect_note("one_entry")
    stage.enter_bots(tournament, 2)
    expect_note("open")
    stage.pass_time(HOUR)
    stage.tick()
    expect_note("started_by_hand")
    stage.run_committed(controls.start_now, tournament.pk, actor=stage.organizer, now=stage.now)
    expect_note("waiting")
    stage.begin_match(stage.matches(tournament)[0])
    expect_note("running")
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    expect_note("paused")
    stage.run_committed(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    expect_note("cancelled", can_be_cancelled=False)


@pytest.mark.long
def test_student_enters_and_withdraws(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    student, other = factories.person(), factories.person()
    bot = stage.create_bot(tournament, student, name="<b>Mine</b>")
    client = client_of(student)
    url = reverse("tournament-enter", args=[tournament.pk])
    response = client.post(url, {"bot": bot.pk}, follow=True)
    assert "&lt;b&gt;Mine&lt;/b&gt;" in response.content.decode()
    assert "<b>Mine" not in response.content.decode()
    entry = tournament.entries.get()
    withdraw = reverse("tournament-withdraw", args=[tournament.pk, entry.pk])
    assert client_of(other).post(withdraw).status_code == 403
    assert "was withdrawn" in client.post(withdraw, follow=True).content.decode()
    entry.refresh_from_db()
    assert entry.status == EntryStatus.WITHDRAWN


@pytest.mark.long
def test_entering_twice_reports_that_the_bot_is_entered(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    student = factories.person()
    bot = stage.create_bot(tournament, student)
    client, url = client_of(student), reverse("tournament-enter", args=[tournament.pk])
    client.post(url, {"bot": bot.pk})
    assert codes_shown(client.post(url, {"bot": bot.pk}, follow=True))[-1] == "already_entered"


def test_bot_of_another_owner_cannot_be_entered(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    bot = stage.create_bot(tournament)
    response = client_of(factories.person()).post(
        reverse("tournament-enter", args=[tournament.pk]), {"bot": bot.pk}, follow=True
    )
    assert codes_shown(response) == ["invalid_choice"]
    assert not tournament.entries.exists()


@pytest.mark.long
def test_late_and_uninvited_entries_are_refused(stage: TournamentHarness) -> None:
    student = factories.person()
    closed = stage.create_tournament(entry_policy="invited")
    bot = stage.create_bot(closed, student)
    _, page = read_page(client_of(student), "tournament", closed.pk)
    assert "not_invited" in note_codes(page)
    late = stage.create_tournament(deadline=stage.now - HOUR, starts_at=None)
    response = client_of(student).post(reverse("tournament-enter", args=[late.pk]), {"bot": bot.pk}, follow=True)
    assert codes_shown(response) == ["deadline_passed"]


@pytest.mark.long
def test_organizer_creates_invites_and_edits(stage: TournamentHarness) -> None:
    client = client_of(stage.organizer)
    guest = factories.person("Ada")
    response = client.post(reverse("tournament-new"), answers(invited="ada", entry_policy="invited"))
    tournament = Tournament.objects.get()
    assert response.url == reverse("tournament", args=[tournament.pk])
    assert tournament.invitations.get().person == guest
    refused = client.post(reverse("tournament-new"), answers(invited="nobody-here"))
    assert refused.status_code == 422
    assert "nobody-here" in refused.content.decode()
    assert Tournament.objects.count() == 1
    edited = client.post(reverse("tournament-edit", args=[tournament.pk]), answers(name="Big cup", repeats="2"))
    assert edited.status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.repeats) == ("Big cup", 2)


@pytest.mark.long
def test_frozen_tournament_cannot_be_edited(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    response = client_of(stage.organizer).post(reverse("tournament-edit", args=[tournament.pk]), answers())
    assert response.status_code == 422
    assert form_codes(response) == ["format_final"]


def test_invalid_form_keeps_its_input(stage: TournamentHarness) -> None:
    response = client_of(stage.organizer).post(reverse("tournament-new"), answers(deadline="", name="Typed"))
    page = response.content.decode()
    assert response.status_code == 422
    assert form_codes(response, "deadline") == ["deadline_missing"]
    assert 'value="Typed"' in page


@pytest.mark.long
def test_void_match_is_rerun_with_one_click(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    match = stage.matches(tournament)[0]
    stage.void_match(match)
    client = client_of(stage.organizer)
    _, page = read_page(client, "tournament", tournament.pk)
    url = reverse("tournament-rerun", args=[tournament.pk, match.pk])
    assert url in page
    assert f'<a href="/matches/{match.pk}/">{stage.name_of(match)}</a>' in page
    assert client_of(factories.person()).post(url).status_code == 403
    assert "being rerun" in client.post(url, follow=True).content.decode()


@pytest.mark.long
def test_lists_are_filtered_and_paginated(stage: TournamentHarness) -> None:
    for number in range(20):
        stage.create_tournament(name=f"Cup {number}")
    stage.create_tournament(Format.TABLE, name="Golden evening")
    client = Client()
    page = client.get(reverse("tournament-list")).content.decode()
    assert "Golden evening" in page
    assert "Cup 0" not in page
    assert "Cup 0" in client.get(reverse("tournament-list"), {"page": 2}).content.decode()
    found = client.get(reverse("tournament-list"), {"game": "golden_point"}).content.decode()
    assert "Golden evening" in found
    assert "Cup 19" not in found
    nothing = client.get(reverse("tournament-list"), {"text": "no such"}).content.decode()
    assert 'data-empty="no_match"' in nothing
    assert client.get(reverse("tournament-list"), {"game": "chess", "page": "x"}).status_code == 200


@pytest.mark.long
def test_matches_of_a_tournament_are_filtered(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    entry = tournament.entries.first()
    client = Client()
    url = reverse("tournament-matches", args=[tournament.pk])
    everything = client.get(url).content.decode()
    assert everything.count('class="match-card"') == 6
    assert all(f"{stage.name_of(match)} <span" in everything for match in stage.matches(tournament))
    assert client.get(url, {"entry": entry.pk}).content.decode().count('class="match-card"') == 3
    assert 'data-empty="no_match"' in client.get(url, {"status": "void"}).content.decode()


@pytest.mark.long
def test_snapshot_is_public_and_unknown_tournaments_return_404(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    found = Client().get(reverse("tournament-snapshot", args=[tournament.pk]))
    assert found.json()["status"] == TournamentStatus.RUNNING
    for name in ("tournament", "tournament-snapshot", "tournament-matches"):
        assert Client().get(reverse(name, args=[99])).status_code == 404
    assert client_of(stage.organizer).post(reverse("tournament-pause", args=[99])).status_code == 404


@pytest.mark.long
def test_page_read_during_the_end_shows_tournament_as_finished(stage: TournamentHarness) -> None:
    """A page that is read just as a tournament ends must not say "running", because no later event would correct it."""
    tournament = stage.start_tournament(2)

    has_read = False

    def end_after_the_first_read(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal has_read
        if has_read:
            execute("UPDATE tournaments_tournament SET status = %s", [TournamentStatus.FINISHED.value], False, context)
        has_read |= '"tournaments_standing"."mean_seconds"' in sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(end_after_the_first_read):
        page = Client().get(reverse("tournament", args=[tournament.pk])).context
    assert (page["snapshot"]["status"], page["card"].status) == (TournamentStatus.FINISHED, TournamentStatus.FINISHED)


@pytest.mark.long
def test_list_takes_a_constant_number_of_queries(stage: TournamentHarness, django_assert_max_num_queries) -> None:
    for _ in range(9):
        stage.start_tournament(2)
    with django_assert_max_num_queries(8):
        Client().get(reverse("tournament-list"))


@pytest.mark.long
def test_bot_and_author_pages_show_tournaments(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2, name="Winter cup")
    bot = tournament.entries.first().bot
    assert "Winter cup" in read_page(Client(), "bot", bot.pk)[1]
    profile = Client().get(reverse("profile", args=[bot.owner.username]))
    assert "Winter cup" in profile.content.decode()


@pytest.mark.parametrize(
    ("format_", "withdrawal"), [(Format.ROUND_ROBIN, "withdrawal_walkovers"), (Format.TABLE, "withdrawal")]
)
def test_page_explains_ties_and_withdrawals_to_everyone(
    stage: TournamentHarness, format_: Format, withdrawal: str
) -> None:
    tournament = stage.create_tournament(format_)
    page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert str(TEXTS[Tiebreak.DIRECT_ENCOUNTER].explanation) in page
    assert re.findall(r'id="rule-(withdrawal\w*)"', page) == [withdrawal]


@pytest.mark.parametrize("format_", Format)
def test_chinese_rules_use_correct_terms_for_ranks_and_bots(
    stage: TournamentHarness, dare: None, format_: Format
) -> None:
    """A place in the standings is 名次, a player is 机器人, a tiebreak is 小分 and a margin is 分差."""
    tournament = stage.create_tournament(format_)
    page = Client().get(reverse("tournament", args=[tournament.pk]), headers={"Accept-Language": "zh-hans"})
    rules = page.content.decode().partition('aria-labelledby="rules-title"')[2].partition("</section>")[0]
    assert ("名次：</span>" in rules) is (format_ in (Format.GROUPS, Format.KNOCKOUT, Format.DOUBLE_ELIMINATION))
    for wrong in ("容量", "参赛程序", "所有人同坐", "每两位", "签表"):
        assert wrong not in rules


@pytest.mark.parametrize("reader", READERS)
def test_organizer_can_copy_a_tournament_from_its_pages(stage: TournamentHarness, readers, reader: str) -> None:
    tournament = stage.create_tournament()
    client, link = client_of(readers[reader]), f"?from={tournament.pk}"
    pages = {
        name: read_page(client, name, *args)[1]
        for name, args in (("tournament", [tournament.pk]), ("tournament-list", []))
    }
    assert {name: link in page for name, page in pages.items()} == dict.fromkeys(pages, reader in RUN_IT)
