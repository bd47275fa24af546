"""Members-only tournaments of a class: other people learn nothing about them on any page."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role, User
from arena.accounts.permissions import Person
from arena.classes import services
from arena.classes.models import Course, CourseRole, Membership
from arena.matches import workload
from arena.matches.models import Match, MatchRecord, MatchStatus, Seat
from arena.matches.visibility import visible as visible_matches
from arena.platform.live.topics import Access, Topic, access
from arena.ratings.models import Rating
from arena.ratings.services import rebuild
from arena.tournaments.entries import registration
from arena.tournaments.models import EntryPolicy, Tournament
from arena.tournaments.queries import tournaments
from arena.tournaments.services import creation
from arena.tournaments.visibility import may_see, visible
from tests import factories
from tests.refusals import all_form_codes, expect_refusal
from tests.tournaments.harness import TournamentHarness

NAME = "Secret cup"
READERS = ("anonymous", "other student", "other organizer", "member", "co-teacher", "organizer", "staff")
SEE_IT = {"member", "co-teacher", "organizer", "staff"}


@pytest.fixture
def course(stage: TournamentHarness) -> Course:
    return services.create(stage.organizer, services.CoursePlan("AI 101"), rng=random.Random(1))


@pytest.fixture
def cup(stage: TournamentHarness, course: Course) -> Tournament:
    """Return a running tournament: one match has ended, one is being played."""
    tournament = stage.create_tournament(name=NAME, course_id=course.pk, members_only=True)
    for name in ("Ann", "Ben", "Cid"):
        owner = factories.person(name)
        services.join(owner, course.code)
        stage.enter_bots(tournament, [factories.bot(owner, name=f"{name}s bot")])
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    over, played, *_ = stage.matches(tournament, MatchStatus.QUEUED)
    stage.finish_match(over, (1, 2))
    stage.begin_match(played)
    tournament.refresh_from_db()
    return tournament


def person_of(stage: TournamentHarness, course: Course, reader: str) -> Person:
    made: dict[str, Callable[[], Person]] = {
        "anonymous": AnonymousUser,
        "other student": factories.person,
        "other organizer": lambda: factories.person(role=Role.ORGANIZER),
        "member": factories.person,
        "co-teacher": factories.person,
        "organizer": lambda: stage.organizer,
        "staff": lambda: factories.person(is_staff=True),
    }
    user = made[reader]()
    if isinstance(user, User) and reader in {"member", "co-teacher"}:
        role = CourseRole.TEACHER if reader == "co-teacher" else CourseRole.STUDENT
        Membership.objects.create(course=course, person=user, role=role)
    return user


def client_of(user: Person) -> Client:
    client = Client()
    if isinstance(user, User):
        client.force_login(user)
    return client


def test_only_permitted_readers_can_open_its_pages(
    stage: TournamentHarness, course: Course, cup: Tournament, subtests: pytest.Subtests
) -> None:
    for match in stage.matches(cup, MatchStatus.FINISHED):
        MatchRecord.objects.create(match=match, version=1, data=b"")
    for reader in READERS:
        with subtests.test(reader):
            client = client_of(person_of(stage, course, reader))
            expected = 200 if reader in SEE_IT else 404
            for name in ("tournament", "tournament-snapshot", "tournament-matches"):
                assert client.get(reverse(name, args=[cup.pk])).status_code == expected, name
            running = stage.matches(cup, MatchStatus.RUNNING)[0]
            for name in ("match", "match-snapshot"):
                assert client.get(reverse(name, args=[running.pk])).status_code == expected, name
            if reader not in SEE_IT:
                over = stage.matches(cup, MatchStatus.FINISHED)[0]
                assert client.get(reverse("match-record", args=[over.pk])).status_code == 404
                log = client.get(reverse("match-log", args=[over.pk, 0]))
                assert log.status_code == (302 if reader == "anonymous" else 404)
                report = client.get(f"/api/v1/matches/{over.pk}/seats/0/report")
                assert report.status_code == (401 if reader == "anonymous" else 404)
                assert client.get(f"/api/v1/matches/{over.pk}/record").status_code == 404
            for part in ("", "/entries", "/standings", "/pairings", "/matches"):
                assert client.get(f"/api/v1/tournaments/{cup.pk}{part}").status_code == expected, part
            assert client.get(f"/api/v1/matches/{running.pk}").status_code == expected


def test_filters_select_it_for_the_same_readers(stage: TournamentHarness, course: Course, cup: Tournament) -> None:
    match = stage.matches(cup)[0]
    for reader in READERS:
        user = person_of(stage, course, reader)
        assert may_see(user, cup.pk) is (reader in SEE_IT), reader
        assert Tournament.objects.filter(visible(user), pk=cup.pk).exists() is (reader in SEE_IT), reader
        assert Match.objects.filter(visible_matches(user), pk=match.pk).exists() is (reader in SEE_IT), reader
    stage.organizer.is_active = False
    assert not may_see(stage.organizer, cup.pk), "the account is closed"
    assert not Tournament.objects.filter(visible(stage.organizer), pk=cup.pk).exists()
    assert not Match.objects.filter(visible_matches(stage.organizer), pk=match.pk).exists()


@pytest.mark.long
def test_only_permitted_readers_can_open_its_sockets(
    stage: TournamentHarness, course: Course, cup: Tournament, subtests: pytest.Subtests
) -> None:
    for reader in READERS:
        with subtests.test(reader):
            user = person_of(stage, course, reader)
            expected = Access.GRANTED if reader in SEE_IT else Access.FORBIDDEN
            assert access(Topic("tournaments", cup.pk), user) == expected
            for match in stage.matches(cup):
                assert access(Topic("matches", match.pk), user) == expected


@pytest.mark.long
def test_lists_omit_it_for_other_readers(
    stage: TournamentHarness, course: Course, cup: Tournament, subtests: pytest.Subtests
) -> None:
    upcoming = stage.create_tournament(name="Secret future", course_id=course.pk, members_only=True)
    for reader in READERS:
        with subtests.test(reader):
            client = client_of(person_of(stage, course, reader))
            author = User.objects.get(username="Ann")
            pages = {
                "home": reverse("home"),
                "what the home page follows": reverse("home-featured"),
                "matches": reverse("match-list"),
                "tournaments": reverse("tournament-list"),
                "tournaments of the class": reverse("tournament-list") + f"?course={course.pk}",
                "profile": reverse("profile", args=["Ann"]),
                "bot": reverse("bot", args=[author.bots.get().pk]),
                "tournaments of the API": "/api/v1/tournaments",
            }
            addresses = [reverse("tournament", args=[pk]) for pk in (cup.pk, upcoming.pk)]
            addresses += [reverse("match", args=[match.pk]) for match in stage.matches(cup)]
            for name, address in pages.items():
                shown = client.get(address).content.decode()
                mentions = "Secret" in shown or any(address in shown for address in addresses)
                assert mentions is (reader in SEE_IT), name
            listed = {row["id"] for row in client.get("/api/v1/matches?limit=100").json()["items"]}
            shown_there = {match.pk for match in stage.matches(cup) if match.status != MatchStatus.PLANNED}
            assert listed == (shown_there if reader in SEE_IT else set())


@pytest.mark.long
def test_workers_page_does_not_name_its_matches(stage: TournamentHarness, cup: Tournament) -> None:
    Match.objects.filter(status=MatchStatus.RUNNING).update(lease_until=stage.now, worker="w")
    (shown,) = workload.running_jobs()
    assert shown.url == ""
    assert not any(seat.bots_submission.bot.name in shown.what for seat in Seat.objects.all())


@pytest.mark.long
def test_removed_member_loses_access(stage: TournamentHarness, course: Course, cup: Tournament) -> None:
    ann = User.objects.get(username="Ann")
    client = client_of(ann)
    assert client.get(reverse("tournament", args=[cup.pk])).status_code == 200
    services.remove_member(course.pk, ann.pk)
    assert client.get(reverse("tournament", args=[cup.pk])).status_code == 404
    assert "Secret" not in client.get(reverse("profile", args=["Ann"])).content.decode()


@pytest.mark.long
def test_organizer_keeps_access_after_leaving_the_class(stage: TournamentHarness, course: Course) -> None:
    helper = factories.person(role=Role.ORGANIZER)
    services.join(helper, course.code)
    services.set_teacher(course.pk, helper.pk, teacher=True)
    stage.organizer = helper
    tournament = stage.create_tournament(course_id=course.pk, members_only=True)
    stage.run_committed(registration.add_house_bots, tournament.pk, house_bots(2), actor=helper)
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    services.leave(helper, course.pk)
    client = client_of(helper)
    assert client.get(reverse("tournament", args=[tournament.pk])).status_code == 200
    match = stage.matches(tournament)[0]
    assert client.get(reverse("match", args=[match.pk])).status_code == 200
    assert access(Topic("matches", match.pk), helper) == Access.GRANTED


@pytest.mark.long
def test_edit_by_organizer_outside_the_class_keeps_it_members_only(stage: TournamentHarness, course: Course) -> None:
    """An organizer who has left the class cannot lift the restriction: the edit is refused."""
    stage.organizer = factories.person(role=Role.ORGANIZER)
    services.join(stage.organizer, course.code)
    services.set_teacher(course.pk, stage.organizer.pk, teacher=True)
    tournament = stage.create_tournament(course_id=course.pk, members_only=True)
    services.leave(stage.organizer, course.pk)
    client, url = client_of(stage.organizer), reverse("tournament-edit", args=[tournament.pk])
    form = client.get(url).context["form"]
    fields = [field for part in (form, form.format, form.game_settings) for field in part]
    data = {field.html_name: field.value() for field in fields if field.value() not in ("", None, [])}
    soon = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    page = client.post(url, {**data, "name": "Renamed", "start": "hand", "deadline": soon, "starts_at": ""})
    assert all_form_codes(page) == ["not_a_teacher"]
    tournament.refresh_from_db()
    assert tournament.members_only


def house_bots(n: int) -> list[int]:
    made = [factories.bot() for _ in range(n)]
    for bot in made:
        bot.is_house = True
        bot.save()
    return [bot.pk for bot in made]


@pytest.mark.long
def test_leaderboard_ignores_its_matches(stage: TournamentHarness, cup: Tournament) -> None:
    assert rebuild("reversi") == 0
    open_cup = stage.start_tournament(2)
    stage.finish_match(stage.matches(open_cup)[0], (1, 2))
    assert rebuild("reversi") == 2
    assert not Rating.objects.filter(submission__bot__owner__username="Ann").exists()


@pytest.mark.long
def test_home_page_figures_ignore_it(stage: TournamentHarness, cup: Tournament) -> None:
    assert "matches played" in Client().get(reverse("home")).content.decode()
    page = Client().get(reverse("home"))
    assert page.context["home"].figures["matches"] == 0
    assert Match.objects.filter(status=MatchStatus.FINISHED).count() == 1


@pytest.mark.parametrize("policy", [EntryPolicy.OPEN, EntryPolicy.MEMBERS])
def test_only_members_can_enter(stage: TournamentHarness, course: Course, policy: EntryPolicy) -> None:
    closed = policy == EntryPolicy.OPEN  # either the audience or the entry policy restricts it
    tournament = stage.create_tournament(course_id=course.pk, members_only=closed, entry_policy=policy)
    stranger = factories.bot()
    with expect_refusal("not_a_member"):
        stage.enter_bots(tournament, [stranger])
    services.join(stranger.owner, course.code)
    assert len(stage.enter_bots(tournament, [stranger])) == 1


def test_class_tournament_can_be_public(stage: TournamentHarness, course: Course) -> None:
    tournament = stage.create_tournament(name="Open day", course_id=course.pk, entry_policy=EntryPolicy.MEMBERS)
    page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert str(EntryPolicy.MEMBERS.label) in page
    assert "AI 101" in page
    assert reverse("class", args=[course.pk]) not in page, "the page of the class is not for everybody"


@pytest.mark.parametrize(
    ("teaches", "changes", "code"),
    [
        (False, {}, "not_a_teacher"),
        (True, {"course_id": None}, "course_missing"),
    ],
)
def test_creation_requires_a_teacher_and_a_class(
    stage: TournamentHarness, course: Course, teaches: bool, changes: dict[str, Any], code: str
) -> None:
    if not teaches:
        stage.organizer = factories.person(role=Role.ORGANIZER)
        services.join(stage.organizer, course.code)
    with expect_refusal(code):
        stage.create_tournament(**{"course_id": course.pk, "members_only": True, **changes})


def test_tournament_with_nonmember_entries_cannot_become_members_only(stage: TournamentHarness, course: Course) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, [factories.bot(name="Stranger")])
    fields = ("name", "game", "format", "deadline", "starts_at", "settings", "limits")
    plan = creation.TournamentPlan(
        **{field: getattr(tournament, field) for field in fields}, course_id=course.pk, members_only=True
    )
    with expect_refusal("strangers_entered"):
        stage.run_committed(creation.edit, tournament.pk, plan, actor=stage.organizer)
    tournament.refresh_from_db()
    assert not tournament.members_only


@pytest.mark.long
def test_form_offers_own_classes_only(stage: TournamentHarness, course: Course) -> None:
    url = reverse("tournament-new") + f"?class={course.pk}&game=reversi&preset=class_cup"
    page = client_of(stage.organizer).get(url).content.decode()
    assert 'name="members_only"' in page
    assert f'<option value="{course.pk}" selected>AI 101</option>' in page
    other = client_of(factories.person(role=Role.ORGANIZER)).get(url).content.decode()
    assert "AI 101" not in other
    assert f'value="{EntryPolicy.MEMBERS}"' not in other


@pytest.mark.long
def test_class_page_shows_its_tournaments(stage: TournamentHarness, course: Course, cup: Tournament) -> None:
    page = client_of(person_of(stage, course, "member")).get(reverse("class", args=[course.pk])).content.decode()
    assert NAME in page
    assert 'data-note="members_only"' in page


def test_rules_of_a_members_only_tournament_say_that_members_enter(stage: TournamentHarness, course: Course) -> None:
    for policy, shown in ((EntryPolicy.OPEN, EntryPolicy.MEMBERS), (EntryPolicy.INVITED, EntryPolicy.INVITED)):
        tournament = stage.create_tournament(course_id=course.pk, members_only=True, entry_policy=policy)
        detail = tournaments.detail(tournament.pk, stage.organizer)
        assert detail is not None
        assert detail.entry_policy_label == shown.label
    public = tournaments.detail(stage.create_tournament().pk, AnonymousUser())
    assert public is not None
    assert public.entry_policy_label == EntryPolicy.OPEN.label
