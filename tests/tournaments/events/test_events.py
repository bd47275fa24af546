"""Notifications of a tournament's start, its result and its void matches reach the people whom they concern."""

from __future__ import annotations

import random

import pytest
from django.urls import reverse

from arena.accounts.models import User
from arena.classes import services as classes
from arena.matches.queries import match_names
from arena.notifications.kinds import notification_text
from arena.notifications.models import Kind, Notification
from arena.tournaments.models import Tournament
from arena.tournaments.services import controls, reruns
from tests import factories
from tests.tournaments.harness import TournamentHarness


def notifications_by_recipient(kind: Kind) -> dict[str, Notification]:
    rows = Notification.objects.filter(kind=kind).select_related("recipient")
    return {row.recipient.username: row for row in rows}


def play_tournament(stage: TournamentHarness, **changes: object) -> Tournament:
    """Create a tournament with two of Ann's bots and one of Ben's, and play it to its end."""
    tournament = stage.create_tournament(entries_per_person=2, **changes)
    ann, ben = (User.objects.filter(username=name).first() or factories.person(name) for name in ("ann", "ben"))
    bots = [factories.bot(ann, name="A1"), factories.bot(ann, name="A2"), factories.bot(ben, name="B1")]
    stage.enter_bots(tournament, bots)
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    stage.play_all(tournament, random.Random(1))
    stage.tick()
    tournament.refresh_from_db()
    return tournament


@pytest.mark.long
def test_participants_are_notified_of_start_and_result(stage: TournamentHarness) -> None:
    tournament = play_tournament(stage)
    assert set(notifications_by_recipient(Kind.STARTED)) == {"ann", "ben"}
    results = notifications_by_recipient(Kind.RESULT)
    assert set(results) == {"ann", "ben", stage.organizer.username}
    ranks = dict(tournament.entries.values_list("bot__name", "rank"))
    assert dict(results["ann"].context["places"]) == {"A1": ranks["A1"], "A2": ranks["A2"]}
    assert (results["ben"].context["places"], results["ben"].context["entries"]) == ([["B1", ranks["B1"]]], 3)
    assert results[stage.organizer.username].context.keys().isdisjoint({"places", "withheld"})


@pytest.mark.long
def test_only_organizer_is_notified_of_withheld_result(stage: TournamentHarness) -> None:
    play_tournament(stage, withheld=True)
    assert notifications_by_recipient(Kind.STARTED)["ann"].context["withheld"]
    assert set(notifications_by_recipient(Kind.RESULT)) == {stage.organizer.username}, (
        "for whose release the others wait"
    )


@pytest.mark.long
def test_cancelled_tournament_sends_no_result(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    stage.run_committed(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    assert not notifications_by_recipient(Kind.RESULT)


@pytest.mark.long
def test_organizer_is_notified_of_void_matches_at_most_hourly(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    for match in stage.matches(tournament)[:3]:
        stage.void_match(match)
    assert set(notifications_by_recipient(Kind.MATCH_VOID)) == {stage.organizer.username}
    assert Notification.objects.filter(kind=Kind.MATCH_VOID).count() in (1, 2), "one an hour, which may change just now"


@pytest.mark.long
def test_void_match_notification_names_players_and_links_match(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    (match,) = stage.matches(tournament)
    stage.void_match(match)
    text = notification_text(
        Kind.MATCH_VOID, notifications_by_recipient(Kind.MATCH_VOID)[stage.organizer.username].context
    )
    assert match_names([match.pk])[match.pk] in text.title
    assert str(match.pk) not in f"{text.title} {text.body}".split()
    assert text.path == reverse("match", args=[match.pk])


@pytest.mark.long
def test_rerun_match_sends_no_second_result(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(2)
    (match,) = stage.matches(tournament)
    stage.void_match(match)
    stage.tick()
    stage.run_committed(reruns.rerun, tournament.pk, [match.pk], "", actor=stage.organizer, now=stage.now)
    stage.finish_match(match, (1, 2))
    stage.tick()
    assert Notification.objects.filter(kind=Kind.RESULT).count() == 3


def test_former_members_get_no_members_only_notifications(stage: TournamentHarness) -> None:
    course = classes.create(stage.organizer, classes.CoursePlan("AI 101"), rng=random.Random(1))
    for name in ("ann", "ben"):
        classes.join(factories.person(name), course.code)
    tournament = stage.create_tournament(course_id=course.pk, members_only=True)
    people = {name: User.objects.get(username=name) for name in ("ann", "ben")}
    stage.enter_bots(tournament, [factories.bot(person) for person in people.values()])
    classes.remove_member(course.pk, people["ben"].pk)
    stage.pass_time(tournament.deadline - stage.now)
    stage.tick()
    assert set(notifications_by_recipient(Kind.STARTED)) == {"ann"}
