"""A member's home page shows their bots, losses, tournaments and deadlines."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import Role
from arena.classes.models import Course, CourseRole, Membership
from arena.core.messages import Template, verbatim_message
from arena.games.localized_messages import FAULT_LABELS
from arena.games.review import Review, Verdict
from arena.matches import reviews
from arena.matches.losses import own_losses
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.reviews import VerdictJob
from arena.pages.member_home import member_home
from arena.ratings.models import Rating, RatingPoint
from arena.submissions.models import Bot, SubmissionStatus
from arena.tournaments.models import Entry, EntryPolicy, Standing, Tournament, TournamentStatus
from arena.tournaments.queries.deadlines import deadlines
from tests.factories import bot, person, queued_match, submission

pytestmark = pytest.mark.django_db
LOST_MOST = Template("test.lost_most", "erred at move %(move)s")


def create_finished_match(bots: list[Bot], ranks: list[int], purpose: Purpose = Purpose.LADDER) -> Match:
    match = queued_match(bots, bots[0].game, purpose)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED, finished_at=timezone.now())
    for index, rank in enumerate(ranks):
        Seat.objects.filter(match=match, index=index).update(rank=rank)
    return match


def test_bots_show_rating_and_weekly_change() -> None:
    ann, now = person("ann"), timezone.now()
    rated, newer, fresh = (bot(ann, name=name) for name in ("Rated", "Newer", "Fresh"))
    values = {"value": 1600.0, "deviation": 40.0, "matches": 9}
    for one, points in (
        (rated, ((20, 1500.0), (9, 1530.0), (2, 1590.0))),
        (newer, ((0, 1600.0),)),
    ):
        Rating.objects.create(submission=one.active, game="reversi", wins=5, draws=0, losses=4, **values)
        for days, value in points:
            day = (now - timedelta(days=days)).date()
            RatingPoint.objects.create(submission=one.active, day=day, value=value, deviation=40.0, matches=1)
    shown = {one.line.id: (one.rating, one.change) for one in member_home(ann, now=now).bots}
    assert shown == {fresh.pk: (None, None), newer.pk: (1600.0, 100.0), rated.pk: (1600.0, 70.0)}


def test_failed_newer_version_is_named_beside_the_active_one(client: Client) -> None:
    ann = person("ann")
    mine = bot(ann, name="Mine")
    submission(mine, SubmissionStatus.FAILED)
    (shown,) = member_home(ann, now=timezone.now()).bots
    assert (shown.line.active_number, shown.line.newest_number, shown.line.status) == (1, 2, "failed")
    client.force_login(ann)
    page = client.get("/").content.decode()
    assert 'data-newest="2"' in page
    assert 'data-active="1"' in page
    assert reverse("studio", args=[mine.pk]) in page


@pytest.mark.long
def test_organizers_see_their_tournaments(client: Client) -> None:
    teacher, student = person("teacher", Role.ORGANIZER), person("student")
    cup = Tournament.objects.create(organizer=teacher, name="Cup", game="reversi", seed=1, status="open")
    Standing.objects.create(tournament=cup)
    address = reverse("tournament-operations", args=[cup.pk])
    for reader, expected in ((teacher, True), (student, False)):
        assert (cup.pk in [card.id for card in member_home(reader, now=timezone.now()).tournaments]) is expected
        client.force_login(reader)
        page = client.get("/").content.decode()
        assert (address in page, reverse("tournament-new") in page) == (expected, expected)


def test_losses_show_the_fault_or_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("ann")
    mine, other = bot(ann, name="Mine"), bot(person("ben"), name="Theirs")
    create_finished_match([mine, other], [1, 2])
    throughout = create_finished_match([other, mine], [1, 2])
    reviewed = create_finished_match([other, mine], [1, 2])
    faulty = create_finished_match([mine, other], [2, 1], Purpose.TOURNAMENT)
    Seat.objects.filter(match=faulty, index=0).update(fault="timeout")
    create_finished_match([mine, other], [2, 1], Purpose.VERSION_TEST)
    create_finished_match([bot(ann, "fib2584")], [1])
    verdicts = {
        reviewed.pk: Verdict(1, 26, LOST_MOST(move=26)),
        throughout.pk: Verdict(1, 0, verbatim_message("was behind all the time")),
    }
    monkeypatch.setitem(reviews._REVIEWERS, "reversi", lambda pk: Review((verdicts[pk],)) if pk in verdicts else None)
    found = [(loss.card.id, loss.why, loss.turn) for loss in member_home(ann, now=timezone.now()).losses]
    assert found == [
        (faulty.pk, FAULT_LABELS["timeout"], None),
        (reviewed.pk, "erred at move 26", 26),
        (throughout.pk, "was behind all the time", None),
    ]


@pytest.mark.parametrize("state", [VerdictJob.WAITING, VerdictJob.RUNNING])
def test_loss_without_a_verdict_shows_the_score_and_the_state_of_its_analysis(
    client: Client, monkeypatch: pytest.MonkeyPatch, state: VerdictJob
) -> None:
    ann = person("ann")
    lost = create_finished_match([bot(person("ben"), name="Theirs"), bot(ann, name="Mine")], [1, 2])
    for index, count in enumerate((51, 13)):
        Seat.objects.filter(match=lost, index=index).update(count=count)
    monkeypatch.setitem(reviews._REVIEWERS, "reversi", lambda pk: None)
    monkeypatch.setitem(reviews._JOBS, "reversi", lambda pk: state)
    client.force_login(ann)
    page = client.get("/").content.decode()
    assert ">Theirs 51 – 13 Mine</a>" in page
    assert f'data-expected="{state}"' in page


def test_loss_is_not_said_to_be_analysed_after_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person("ann")
    create_finished_match([bot(), bot(ann)], [1, 2])
    monkeypatch.setitem(reviews._REVIEWERS, "reversi", lambda pk: None)
    monkeypatch.setitem(reviews._JOBS, "reversi", lambda pk: VerdictJob.OVER)
    (loss,) = member_home(ann, now=timezone.now()).losses
    assert (loss.why, loss.expected) == ("", None)


def test_lower_half_of_a_table_counts_as_losses() -> None:
    ann = person("ann")
    mine, others = bot(ann, "golden_point"), [bot(game="golden_point") for _ in range(4)]
    create_finished_match([mine, *others], [2, 1, 3, 4, 5])
    lost = create_finished_match([mine, *others], [3, 1, 2, 4, 5])
    assert [loss.match_id for loss in own_losses(ann, 9)] == [lost.pk]


@pytest.mark.long
@pytest.mark.parametrize(
    ("others", "names"), [(4, "one – two – three – four</a>"), (5, "one – two – three – four …</a>")]
)
def test_loss_at_a_table_names_the_own_bot_once_with_its_rank(client: Client, others: int, names: str) -> None:
    ann = person("ann")
    theirs = [bot(game="golden_point", name=name) for name in ("one", "two", "three", "four", "five")[:others]]
    create_finished_match([bot(ann, "golden_point", name="Mine"), *theirs], [others + 1, *range(1, others + 1)])
    client.force_login(ann)
    expected = f'data-part="own-rank">Mine: ranked {others + 1} of {others + 1}</span> · {names}'
    assert expected in client.get("/").content.decode()


def test_loss_that_ended_last_comes_first() -> None:
    ann, now = person("ann"), timezone.now()
    mine, other = bot(ann), bot()
    matches = [create_finished_match([mine, other], [2, 1]) for _ in range(3)]
    for match, minutes in zip(matches, (5, 1, 9), strict=True):
        Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(minutes=minutes))
    first, second, third = matches
    assert [loss.match_id for loss in own_losses(ann, 2)] == [second.pk, first.pk]
    assert [loss.match_id for loss in own_losses(ann, 9)] == [second.pk, first.pk, third.pk]


def test_withheld_matches_are_not_listed_as_losses() -> None:
    ann = person("ann")
    match = create_finished_match([bot(ann), bot()], [2, 1], Purpose.TOURNAMENT)
    Match.objects.filter(pk=match.pk).update(withheld=True)
    assert own_losses(ann, 9) == []


def test_deadlines_list_entered_and_open_tournaments() -> None:
    teacher, ann, now = person("teacher", Role.ORGANIZER), person("ann"), timezone.now()
    course = Course.objects.create(name="7b", owner=teacher, code="ABCD2345")

    def cup(name: str, **columns: object) -> Tournament:
        values = {"organizer": teacher, "game": "reversi", "format": "round_robin", "seed": 1, **columns}
        return Tournament.objects.create(name=name, **values)

    cup("Closed", deadline=now - timedelta(hours=1))
    cup("Late", deadline=now + timedelta(days=9))
    cup("Soon", deadline=now + timedelta(hours=3))
    cup("Some day")
    cup("Invited", entry_policy=EntryPolicy.INVITED)
    cup("Class", entry_policy=EntryPolicy.MEMBERS, course=course, members_only=True, deadline=now + timedelta(days=1))
    runs = cup("Runs", status=TournamentStatus.RUNNING)
    entered = cup("Entered", deadline=now + timedelta(days=5))
    mine = bot(ann, name="Mine")
    for one in (runs, entered):
        Entry.objects.create(tournament=one, bot=mine)
    assert [one.name for one in deadlines(ann, 9, now=now)] == ["Runs", "Entered", "Soon", "Late", "Some day"]
    Membership.objects.create(course=course, person=ann, role=CourseRole.STUDENT)
    found = deadlines(ann, 9, now=now)
    assert [one.name for one in found] == ["Runs", "Entered", "Soon", "Class", "Late", "Some day"]
    assert (found[0].bots, found[3].course) == (("Mine",), "7b")


@pytest.mark.long
def test_home_page_differs_for_members_and_visitors(client: Client) -> None:
    ann = person("ann")
    bot(ann, name="Mine")
    assert 'class="hero' in client.get("/").content.decode()
    client.force_login(ann)
    cache.clear()
    page = client.get("/").content.decode()
    assert "Hello, ann" in page
    assert "Mine" in page
    assert 'class="hero' not in page
