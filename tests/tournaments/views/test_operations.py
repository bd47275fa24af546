"""The organizer's operations page: who may use it, what it shows, and what its forms do."""

from __future__ import annotations

import random
import re
from datetime import UTC, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from arena.accounts.models import Role
from arena.core.messages import verbatim_message
from arena.matches import retention
from arena.matches.models import FailedAttempt, Match, MatchRecord, RetentionPass, Seat
from arena.matches.retention import Retention
from arena.tournaments.models import Activity, ActivityKind, Tournament
from tests import factories
from tests.note_codes import note_codes
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of, operations_page
from tests.tournaments.recorded import play, play_all

POSTS = ["tournament-extend", "tournament-announce", "tournament-records", "tournament-rerun-chosen"]


@pytest.mark.long
def test_only_organizer_and_staff_can_open_operations_page(stage: TournamentHarness, subtests: pytest.Subtests) -> None:
    cup = stage.start_tournament(2)
    for address in ("tournament-operations", *POSTS):
        with subtests.test(address):
            url = reverse(address, args=[cup.pk])
            author = cup.entries.order_by("pk")[0].bot.owner
            ask = Client.get if address == "tournament-operations" else Client.post
            assert ask(Client(), url).status_code == 302
            for other in (author, factories.person(), factories.person(role=Role.ORGANIZER)):
                assert ask(client_of(other), url).status_code == 403
            for own in (stage.organizer, factories.person(is_staff=True)):
                assert ask(client_of(own), url).status_code in (200, 302, 422)


@pytest.mark.long
@pytest.mark.parametrize("status", ["open", "frozen", "running", "paused", "finished", "cancelled"])
def test_every_status_has_an_operations_page(stage: TournamentHarness, status: str) -> None:
    from arena.tournaments.services import controls

    cup = (
        stage.create_tournament(starts_at=None, withheld=True)
        if status in ("open", "frozen")
        else stage.start_tournament(3)
    )
    if status == "frozen":
        stage.enter_bots(cup, 3)
        stage.pass_time(timedelta(hours=1))
        stage.tick()
    elif status == "paused":
        stage.run_committed(controls.pause, cup.pk, actor=stage.organizer, now=stage.now)
    elif status == "finished":
        play_all(stage, cup, random.Random(1), crashes=0.5)
    elif status == "cancelled":
        stage.run_committed(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    cup.refresh_from_db()
    assert cup.status == status
    page = client_of(stage.organizer).get(operations_page(cup))
    assert page.status_code == 200
    assert ("archive.zip" in page.content.decode()) == (status in ("finished", "cancelled"))


@pytest.mark.long
def test_bots_are_shown_with_faults_and_times(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    first, *others = stage.matches(cup)
    play(stage, first, random.Random(1), crash=True)
    for match in others:
        play(stage, match, random.Random(2))
    crasher = first.seats.get(index=0).submission.bot
    slow = others[0].seats.get(index=0)
    type(slow).objects.filter(pk=slow.pk).update(slowest=9.0, seconds=90.0)
    client = client_of(stage.organizer)
    shown = {line.entry.bot_id: line for line, _form in client.get(operations_page(cup)).context["bots"]}
    assert shown[crasher.pk].faults == (("crash", 1),)
    assert sum(line.share for line in shown.values()) == pytest.approx(1)
    for sort in ("mean", "longest", "share"):
        (line, _form), *_rest = client.get(operations_page(cup), {"b-sort": sort}).context["bots"]
        assert line.entry.bot_id == slow.submission.bot_id
    (line, _form), *_rest = client.get(operations_page(cup), {"b-sort": "faults"}).context["bots"]
    assert line.entry.bot_id == crasher.pk
    only = client.get(operations_page(cup), {"b-text": crasher.name, "b-sort": "nonsense"}).context["bots"]
    assert [line.entry.bot_id for line, _form in only] == [crasher.pk]


@pytest.mark.long
def test_labels_of_check_boxes_contain_no_links(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2)
    play_all(stage, cup, random.Random(1))
    page = client_of(stage.organizer).get(operations_page(cup)).content.decode()
    labels = re.findall(r"<label.*?</label>", page, re.DOTALL)
    assert any('name="match"' in label for label in labels)
    assert not any("<a " in label for label in labels)


@pytest.mark.long
def test_organizer_sees_why_a_match_is_void(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2)
    (match,) = stage.matches(cup)
    Match.objects.filter(pk=match.pk).update(failure=verbatim_message("The sandbox broke.").to_json("message"))
    stage.void_match(match)
    organizer = client_of(stage.organizer).get(operations_page(cup)).content.decode()
    assert "void" in note_codes(organizer)
    assert "The sandbox broke." in organizer
    assert f'<a class="tap" href="/matches/{match.pk}/">{stage.name_of(match)}</a>' in organizer
    file: Any = client_of(stage.organizer).get(reverse("tournament-table", args=[cup.pk, "matches"]))
    assert "The sandbox broke." in b"".join(file.streaming_content).decode()


@pytest.mark.long
def test_bot_with_many_void_matches_is_flagged(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(4)
    matches = stage.matches(cup)
    suspect = matches[0].seats.get(index=0).bots_submission.bot
    own = [match for match in matches if match.seats.filter(submission__bot=suspect).exists()]
    assert len(own) == 3
    for match in own:
        assert suspect.name not in flags(stage, cup)
        seat = match.seats.get(submission__bot=suspect).index
        FailedAttempt.objects.create(
            match=match, fence=3, kind="failure", at=timezone.now(), reason={}, seat=seat, voided=True
        )
    shown = flags(stage, cup)
    assert f"{suspect.name}</a>" in shown
    flagged = re.findall(r'data-bot="(\d+)" data-voids="(\d+)" data-while-asked="(\d+)"', shown)
    assert flagged == [(str(suspect.pk), "3", "3")]
    workers = client_of(factories.person(is_staff=True)).get(reverse("workers")).content.decode()
    assert 'data-voids="3"' in workers
    assert "data-voids" not in client_of(stage.organizer).get(reverse("workers")).content.decode()


def flags(stage: TournamentHarness, cup: Tournament) -> str:
    """Return the section about bots with many void matches."""
    page = client_of(stage.organizer).get(operations_page(cup)).content.decode()
    return page.partition('id="flagged-title"')[2].partition("</section>")[0]


@pytest.mark.long
def test_selected_matches_are_rerun(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(3)
    play_all(stage, cup, random.Random(1))
    client = client_of(stage.organizer)
    first, second, _third = stage.matches(cup)
    url = reverse("tournament-rerun-chosen", args=[cup.pk])
    refused = client.post(url, {"match": [first.pk, second.pk], "reason": ""})
    assert refused.status_code == 422
    assert [error.code for error in refused.context["rerun_form"].errors.as_data()["__all__"]] == ["reason_missing"]
    assert len(re.findall(r'<input[^>]*name="match"[^>]*checked', refused.content.decode())) == 2
    with stage.commit_context():
        done = client.post(url, {"match": [first.pk, "x", second.pk], "reason": "A power cut"})
    assert done.status_code == 302
    assert Match.objects.filter(replaced_by__isnull=False).count() == 2
    page = client.get(operations_page(cup)).content.decode()
    assert "A power cut" in page
    assert f'href="/matches/{first.pk}/">#{first.pk}' in page


@pytest.mark.long
def test_unknown_name_does_not_clear_the_invitation_list(stage: TournamentHarness) -> None:
    cup, friend = stage.create_tournament(entry_policy="invited"), factories.person()
    invite, client = reverse("tournament-invite", args=[cup.pk]), client_of(stage.organizer)
    page = client.post(invite, {"people": f"{friend.username} nobody-here"})
    assert page.status_code == 422
    assert f"{friend.username} nobody-here</textarea>" in page.content.decode()
    assert "nobody-here" in page.content.decode()
    assert [error.code for error in page.context["invite_form"].errors.as_data()["people"]] == ["unknown_names"]
    assert client.post(invite, {"people": friend.username, "from": "operations"}).headers[
        "Location"
    ] == operations_page(cup)
    assert cup.invitations.get().person == friend


@pytest.mark.long
def test_manual_start_is_logged_with_its_actor(stage: TournamentHarness) -> None:
    cup = stage.create_tournament(starts_at=None)
    stage.enter_bots(cup, 2)
    with stage.commit_context():
        answer = client_of(stage.organizer).post(reverse("tournament-start", args=[cup.pk]), {"from": "operations"})
    assert answer["Location"] == operations_page(cup)
    assert Activity.objects.get(kind=ActivityKind.ORDERED).actor == stage.organizer


def choose_records(stage: TournamentHarness, cup: Tournament, choice: str, days: str = "") -> Any:
    url = reverse("tournament-records", args=[cup.pk])
    answers = {"records-record_retention": choice, "records-record_days": days}
    return client_of(stage.organizer).post(url, answers)


@pytest.mark.long
def test_organizer_can_exempt_records_from_retention(stage: TournamentHarness) -> None:
    """If the site deletes old records, an organizer can exempt a tournament from deletion, and undo the exemption."""
    kept, other = stage.start_tournament(2), stage.start_tournament(2)
    for cup in (kept, other):
        play_all(stage, cup, random.Random(1))
    choose_records(stage, kept, "keep")
    page = client_of(stage.organizer).get(operations_page(kept)).content.decode()
    assert re.search(r'<input[^>]*name="records-record_retention"[^>]*value="keep"[^>]*checked', page)
    year = Retention(365, move=False)
    reduced = set(retention.due_records(year, now=stage.now + timedelta(days=400)).values_list("match", flat=True))
    assert reduced == set(Match.objects.filter(pairing__tournament=other).values_list("pk", flat=True))
    choose_records(stage, kept, "site")
    assert retention.due_records(year, now=stage.now + timedelta(days=400)).count() == Match.objects.count()


@pytest.mark.long
@pytest.mark.parametrize("site_days", [None, 365])
def test_organizer_can_reduce_records_earlier_than_the_site(stage: TournamentHarness, site_days: int | None) -> None:
    """The organizer's retention period starts at the end of the tournament; results and standings do not change."""
    cup, other = stage.start_tournament(3), stage.start_tournament(2)
    play_all(stage, cup, random.Random(1))
    play_all(stage, other, random.Random(1))
    site = Retention(site_days, move=False)
    own = Match.objects.filter(pairing__tournament=cup)
    results = list(Seat.objects.filter(match__in=own).order_by("pk").values("points", "rank", "seconds", "moves"))
    ranks = list(cup.entries.order_by("pk").values_list("rank", "points"))
    choose_records(stage, cup, "reduce", "30")
    ended = Tournament.objects.get(pk=cup.pk).finished_at
    assert ended
    assert retention.reduce_due_matches(site, now=ended + timedelta(days=29)) == 0
    assert retention.retention_summary(site, now=ended + timedelta(days=31)).due == own.count()
    assert retention.reduce_due_matches(site, now=ended + timedelta(days=31)) == own.count()
    assert not MatchRecord.objects.filter(match__in=own).exists()
    assert MatchRecord.objects.filter(match__pairing__tournament=other).exists()
    assert (
        list(Seat.objects.filter(match__in=own).order_by("pk").values("points", "rank", "seconds", "moves")) == results
    )
    assert list(cup.entries.order_by("pk").values_list("rank", "points")) == ranks
    assert retention.reduce_due_matches(site, now=ended + timedelta(days=31)) == 0
    [run] = RetentionPass.objects.all()
    assert (run.before, run.matches) == (None, own.count())
    page = client_of(factories.person(is_staff=True)).get("/workers/").content.decode()
    assert 'data-part="by-organizers"' in page


@pytest.mark.long
def test_site_retention_applies_before_a_later_choice(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(2)
    play_all(stage, cup, random.Random(1))
    choose_records(stage, cup, "reduce", "300")
    assert retention.reduce_due_matches(Retention(30, move=False), now=stage.now + timedelta(days=40)) == len(
        stage.matches(cup)
    )


@pytest.mark.long
def test_pages_show_when_records_will_be_reduced(stage: TournamentHarness, settings: Settings) -> None:
    cup = stage.start_tournament(2)
    choose_records(stage, cup, "reduce", "30")
    page = Client().get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "logs_deleted" in note_codes(page)
    assert Client().get(f"/api/v1/tournaments/{cup.pk}").json()["record_days"] == 30
    play_all(stage, cup, random.Random(1))
    settings.MATCH_RECORD_DAYS, settings.MATCH_RECORD_MOVE = 365, False
    page = client_of(stage.organizer).get(operations_page(cup)).content.decode()
    text = page[page.index('id="records"') :]
    at = Tournament.objects.get(pk=cup.pk).finished_at
    assert at
    assert f'datetime="{(at + timedelta(days=30)).astimezone(UTC):%Y-%m-%dT%H}' in text
    assert "earlier_date" in note_codes(text)


@pytest.mark.long
@pytest.mark.parametrize("days", ["", "0", "many", "3651"])
def test_reducing_records_requires_number_of_days(stage: TournamentHarness, days: str) -> None:
    cup = stage.start_tournament(2)
    assert choose_records(stage, cup, "reduce", days).status_code == 422
    cup.refresh_from_db()
    assert cup.record_retention == "site"


def test_old_address_redirects_permanently(client: Client) -> None:
    response = client.get("/tournaments/7/desk/?f-kind=invited")
    assert response.status_code == 301
    assert response["Location"] == "/tournaments/7/operations/?f-kind=invited"
