"""Unreleased results are visible only to the organizer and staff, on every page, list, file and socket."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.test import Client
from django.urls import reverse

from arena.accounts.models import Role, User
from arena.matches.models import Match, MatchStatus
from arena.matches.visibility import PUBLIC, may_see
from arena.notifications.models import Notification
from arena.platform.live import topics
from arena.platform.live.topics import Access, Topic
from arena.tournaments.models import Format, Tournament
from arena.tournaments.services import result_release
from tests import factories
from tests.note_codes import note_codes
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

OUTSIDERS = ["anonymous", "student", "author", "other organizer"]
INSIDERS = ["organizer", "staff"]


@pytest.fixture(params=[Format.ROUND_ROBIN, pytest.param(Format.KNOCKOUT, marks=pytest.mark.long)])
def cup(stage: TournamentHarness, request: pytest.FixtureRequest) -> Tournament:
    """Return a finished tournament whose names and numbers occur nowhere else."""
    tournament = stage.start_tournament(4, request.param, withheld=True, name="Silent cup")
    stage.play_all(tournament, random.Random(5))
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    return tournament


def reader(capacity: str, stage: TournamentHarness, tournament: Tournament) -> User | AnonymousUser:
    match capacity:
        case "anonymous":
            return AnonymousUser()
        case "student":
            return factories.person()
        case "author":
            return tournament.entries.get(rank=1).bot.owner
        case "other organizer":
            return factories.person(role=Role.ORGANIZER)
        case "organizer":
            return stage.organizer
    return factories.person(is_staff=True)


def client_of(person: User | AnonymousUser) -> Client:
    client = Client()
    if isinstance(person, User):
        client.force_login(person)
    return client


def addresses(tournament: Tournament) -> list[str]:
    """Return the URLs of all pages that could reveal results."""
    bots = [entry.bot for entry in tournament.entries.select_related("bot__owner")]
    return [
        reverse("tournament", args=[tournament.pk]),
        reverse("tournament-snapshot", args=[tournament.pk]),
        reverse("tournament-matches", args=[tournament.pk]),
        reverse("tournament-list"),
        reverse("match-list"),
        f"{reverse('match-list')}?bot={bots[0].pk}",
        f"{reverse('match-list')}?person={bots[0].owner.username}",
        reverse("home"),
        f"{reverse('tournament', args=[tournament.pk])}?view=projector",
        *(reverse("bot", args=[bot.pk]) for bot in bots),
        *(reverse("profile", args=[bot.owner.username]) for bot in bots),
        *(f"/api/v1/{path}" for path in api_paths(tournament)),
    ]


def api_paths(tournament: Tournament) -> list[str]:
    own = f"tournaments/{tournament.pk}"
    bot = tournament.entries.all()[0].bot
    lists = ["tournaments", "matches", f"matches?bot={bot.pk}", f"matches?person={bot.owner.username}"]
    return [*lists, own, *(f"{own}/{part}" for part in ("entries", "standings", "pairings", "matches"))]


def private_addresses(tournament: Tournament) -> list[str]:
    match = Match.objects.filter(pairing__tournament=tournament).first()
    assert match is not None
    return [
        reverse("match", args=[match.pk]),
        reverse("match-snapshot", args=[match.pk]),
        reverse("match-record", args=[match.pk]),
        reverse("match-export", args=[match.pk, "moves.txt"]),
        reverse("match-export", args=[match.pk, "game.ggf"]),
        reverse("match-log", args=[match.pk, 0]),
        reverse("match-output", args=[match.pk, 0]),
        *(f"/api/v1/matches/{match.pk}{part}" for part in ("", "/record", "/seats/0/report")),
    ]


@pytest.mark.long
def test_no_page_shows_withheld_results(stage: TournamentHarness, cup: Tournament) -> None:
    match_links = [reverse("match", args=[match.pk]) for match in stage.matches(cup)]
    for capacity in OUTSIDERS:
        client = client_of(reader(capacity, stage, cup))
        for address in addresses(cup):
            shown = client.get(address)
            assert shown.status_code == 200, (capacity, address)
            text = shown.content.decode()
            assert not [link for link in match_links if f'"{link}"' in text], (capacity, address)
        for address in private_addresses(cup):
            answer = client.get(address, follow=True)
            assert answer.status_code in (401, 404) or "/login/" in answer.redirect_chain[-1][0], (capacity, address)
        for path in ("standings", "entries", "matches", "archive"):
            export = client.get(f"/api/v1/tournaments/{cup.pk}/{'exports/' * (path != 'archive')}{path}")
            assert export.status_code in (401, 403), (capacity, path)


@pytest.mark.long
def test_snapshot_and_page_show_no_figures(stage: TournamentHarness, cup: Tournament) -> None:
    for capacity in OUTSIDERS:
        _assert_no_figure(client_of(reader(capacity, stage, cup)), cup)


def _assert_no_figure(client: Client, cup: Tournament) -> None:
    shown = client.get(reverse("tournament-snapshot", args=[cup.pk])).json()
    assert shown["matches"] == shown["tables"] == []
    assert shown["withheld"] is True, "the page's live region names no leader"
    assert shown["head_to_head"] == {}
    assert set(shown["progress"].values()) == {0, None}
    assert {(row["rank"], row["points"], row["played"], row["wins"], row["margin"]) for row in shown["rows"]} == {
        (None, 0.0, 0, 0, 0.0)
    }
    assert shown["order"] == sorted(shown["order"])
    page = client.get(reverse("tournament", args=[cup.pk]))
    assert page.context["snapshot"] == shown
    assert page.context["rounds"] is None
    assert "withheld" in note_codes(page.content.decode())
    (card,) = client.get(reverse("tournament-list")).context["cards"]
    assert (card.leaders, card.matches, card.finished) == ((), 0, 0)
    person = cup.entries.get(rank=1).bot.owner
    profile = client.get(reverse("profile", args=[person.username])).content.decode()
    assert "Silent cup" in profile
    assert "1 of 4" not in profile
    _assert_the_api_has_no_figure(client, cup)


def _assert_the_api_has_no_figure(client: Client, cup: Tournament) -> None:
    found = {path: client.get(f"/api/v1/{path}").json() for path in api_paths(cup)}
    own = f"tournaments/{cup.pk}"
    assert found["matches"]["items"] == found[f"{own}/matches"]["items"] == found[f"{own}/pairings"]["items"] == []
    assert (found[own]["withheld"], found[own]["matches"], found[own]["finished"]) == (True, 0, 0)
    (line,) = found["tournaments"]["items"]
    assert (line["matches"], line["finished"]) == (0, 0)
    standings = found[f"{own}/standings"]
    assert (standings["withheld"], standings["columns"]) == (True, [])
    hidden = ("rank", "points", "played", "wins", "draws", "losses", "margin", "tiebreaks", "mean_rank")
    assert {tuple(map(str, (row[name] for name in hidden))) for row in standings["items"]} == {
        ("None", "0.0", "0", "0", "0", "0", "0.0", "[]", "None")
    }
    entered = [row["entry"] for row in standings["items"]]
    assert entered == sorted(entered) == [row["id"] for row in found[f"{own}/entries"]["items"]]
    assert not {"rank", "points", "played"} & found[f"{own}/entries"]["items"][0].keys()


@pytest.mark.long
def test_organizer_and_staff_see_everything(stage: TournamentHarness, cup: Tournament) -> None:
    for capacity in INSIDERS:
        _assert_everything_is_shown(reader(capacity, stage, cup), stage, cup)


def _assert_everything_is_shown(person: User | AnonymousUser, stage: TournamentHarness, cup: Tournament) -> None:
    client = client_of(person)
    page = client.get(reverse("tournament", args=[cup.pk]))
    assert page.context["snapshot"]["rows"][0]["rank"] is not None
    assert "/ws/withheld/" in page.content.decode()
    assert "Release results" in page.content.decode()
    assert all(may_see(person, match.pk) for match in stage.matches(cup))
    assert client.get(reverse("tournament-rounds", args=[cup.pk])).status_code == 200
    assert client.get(reverse("tournament-matches", args=[cup.pk])).context["cards"]
    for path in ("standings", "pairings", "matches"):
        assert client.get(f"/api/v1/tournaments/{cup.pk}/{path}").json()["items"], path
    assert client.get(f"/api/v1/tournaments/{cup.pk}/standings").json()["items"][0]["rank"] == 1
    assert client.get(f"/api/v1/tournaments/{cup.pk}/archive").status_code == 200


@pytest.mark.long
def test_match_and_result_sockets_require_permission(stage: TournamentHarness, cup: Tournament) -> None:
    for capacity in (*OUTSIDERS, *INSIDERS):
        person = reader(capacity, stage, cup)
        expected = Access.GRANTED if capacity in INSIDERS else Access.FORBIDDEN
        for match in stage.matches(cup):
            assert topics.access(Topic("matches", match.pk), person) == expected, capacity
        assert topics.access(Topic("withheld", cup.pk), person) == expected, capacity
        assert topics.access(Topic("tournaments", cup.pk), person) == Access.GRANTED, capacity


def test_public_socket_sends_only_states_and_entries_without_gaps(stage: TournamentHarness, cup: Tournament) -> None:
    public, inside = stage.events(cup), stage.broker.events(f"withheld/{cup.pk}")
    assert [event["seq"] for event in public] == [event["seq"] for event in inside]
    assert [event["seq"] for event in public] == list(range(1, cup.version + 1))
    assert {event["type"] for event in public} == {"entries", "status", "hidden"}
    assert {"result", "standing"} <= {event["type"] for event in inside}
    text = json.dumps(public)
    for hidden in ("head_to_head", "/matches/", '"match"', 'ends_at": "2'):
        assert hidden not in text
    assert {row["points"] for event in public for row in event.get("rows", [])} == {0.0}


@pytest.mark.long
def test_leaderboards_and_figures_exclude_withheld_results(stage: TournamentHarness, cup: Tournament) -> None:
    assert not Match.objects.filter(PUBLIC, pairing__tournament=cup).exists()
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    played = Match.objects.filter(pairing__tournament=cup, status=MatchStatus.FINISHED)
    assert Match.objects.filter(PUBLIC, pairing__tournament=cup).count() == played.count()


@pytest.mark.long
def test_no_result_notifications_before_release(stage: TournamentHarness, cup: Tournament) -> None:
    results = Notification.objects.filter(kind="result").exclude(recipient=stage.organizer)
    assert not results.exists()
    assert not [letter for letter in mail.outbox if "Silent cup" in letter.body and "place" in letter.body]
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    assert results.exists()


@pytest.mark.long
def test_organizer_is_notified_once_that_results_await_release(stage: TournamentHarness, cup: Tournament) -> None:
    notified = Notification.objects.filter(kind="result", recipient=stage.organizer)
    assert notified.get().context["withheld"]
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    assert notified.count() == 1


@pytest.mark.long
def test_page_shows_no_zeros_for_withheld_results(stage: TournamentHarness, cup: Tournament) -> None:
    def hides_results(person: User | AnonymousUser) -> bool:
        shown = client_of(person).get(reverse("tournament", args=[cup.pk])).content.decode()
        return 'data-results="hidden"' in shown

    assert hides_results(AnonymousUser())
    assert not hides_results(stage.organizer)
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    assert not hides_results(AnonymousUser())


@pytest.mark.long
def test_release_makes_all_results_public(stage: TournamentHarness, cup: Tournament) -> None:
    released = client_of(stage.organizer).post(reverse("tournament-release", args=[cup.pk]))
    assert released.status_code == 302
    stage.refresh_standings()
    client = Client()
    shown = client.get(reverse("tournament-snapshot", args=[cup.pk])).json()
    assert shown["rows"][0]["rank"] == 1
    assert shown["withheld"] is False
    assert shown["matches"]
    assert all(may_see(AnonymousUser(), match.pk) for match in stage.matches(cup))
    assert client.get(reverse("tournament-rounds", args=[cup.pk])).status_code == 200
    with expect_refusal("not_withheld"):
        result_release.release_results(cup.pk, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_only_organizer_and_staff_can_release(stage: TournamentHarness, cup: Tournament) -> None:
    for capacity in OUTSIDERS:
        client = client_of(reader(capacity, stage, cup))
        answer = client.post(reverse("tournament-release", args=[cup.pk]))
        assert answer.status_code in (302, 403), capacity
        cup.refresh_from_db()
        assert cup.withheld, capacity


@pytest.mark.long
def test_matches_after_early_release_are_public(stage: TournamentHarness) -> None:
    cup = stage.start_tournament(5, withheld=True, parallel=1)
    (match,) = stage.matches(cup, MatchStatus.QUEUED)
    stage.finish_match(match, (1, 2))
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    (released, *_) = stage.events(cup)[-1:]
    assert released["type"] == "released"
    assert released["refetch"], "what the page showed had neither columns nor matches"
    assert {row["points"] for row in released["rows"]} == {0.0, 1.0}
    stage.pass_time(timedelta(seconds=5))
    stage.play_all(cup, random.Random(1))
    assert not Match.objects.filter(withheld=True).exists()
    assert stage.events(cup)[-1]["type"] in ("status", "standing")


def test_interrupted_release_is_completed_by_next_tick(stage: TournamentHarness) -> None:
    hidden, cup = (stage.start_tournament(4, withheld=True, parallel=1) for _ in range(2))
    (match,) = stage.matches(cup, MatchStatus.QUEUED)
    stage.begin_match(match)
    stage.run_committed(result_release.release_results, cup.pk, actor=stage.organizer, now=stage.now)
    Match.objects.filter(pk=match.pk).update(withheld=True)  # as if the process had been killed after the commit
    stage.pass_time(timedelta(hours=12))  # the scheduler was not running
    stage.tick()
    assert not Match.objects.filter(pairing__tournament=cup, withheld=True).exists()
    assert not Match.objects.filter(pairing__tournament=hidden, withheld=False).exists()
