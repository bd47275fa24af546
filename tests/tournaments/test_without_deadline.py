"""A tournament without a deadline, which its organizer starts by hand, is open for entries until it starts."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.tournaments.forms.tournament import initial_tournament_values
from arena.tournaments.models import Activity, ActivityKind, Tournament, TournamentStatus
from arena.tournaments.queries import activity, tournaments
from arena.tournaments.services import controls, creation, extensions
from arena.tournaments.services.creation import TournamentPlan
from tests.note_codes import note_codes
from tests.refusals import expect_refusal
from tests.tournaments.form_data import answers
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of

HOUR = timedelta(hours=1)


@pytest.fixture
def cup(stage: TournamentHarness) -> Tournament:
    return stage.create_tournament(deadline=None, starts_at=None)


def plan(**changes: object) -> TournamentPlan:
    made = TournamentPlan("Cup", "reversi", "round_robin", None, None, {}, {})
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.long
def test_entries_stay_open_until_organizer_starts_it(stage: TournamentHarness, cup: Tournament) -> None:
    stage.enter_bots(cup, 2)
    stage.pass_time(400 * 24 * HOUR)
    stage.tick()
    assert stage.status(cup) == TournamentStatus.OPEN
    stage.enter_bots(cup, 1)
    stage.run_committed(controls.start_now, cup.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(cup) == TournamentStatus.RUNNING
    cup.refresh_from_db()
    assert (cup.deadline, cup.starts_at) == (stage.now, stage.now)
    assert cup.entries.exclude(submission=None).count() == 3


def test_cancelled_tournament_has_an_archive(stage: TournamentHarness, cup: Tournament) -> None:
    stage.run_committed(controls.cancel_tournament, cup.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(cup) == TournamentStatus.CANCELLED
    assert client_of(stage.organizer).get(reverse("tournament-archive", args=[cup.pk])).status_code == 200


def test_deadline_can_be_set_later(stage: TournamentHarness, cup: Tournament) -> None:
    stage.enter_bots(cup, 2)
    later = stage.now + HOUR
    stage.run_committed(extensions.extend_deadline, cup.pk, later, actor=stage.organizer, now=stage.now)
    cup.refresh_from_db()
    assert (cup.deadline, cup.starts_at) == (later, None)
    (line,) = activity.lines(Activity.objects.filter(tournament=cup, kind=ActivityKind.EXTENDED))
    assert line.sentence
    stage.pass_time(2 * HOUR)
    stage.tick()
    assert stage.status(cup) == TournamentStatus.FROZEN


@pytest.mark.parametrize(
    ("times", "code"),
    [
        ({"starts_at": timezone.now()}, "deadline_missing"),
        ({"deadline": timezone.now() + HOUR, "starts_at": timezone.now()}, "start_before_deadline"),
    ],
)
def test_services_refuse_inconsistent_schedules(
    stage: TournamentHarness, cup: Tournament, times: dict[str, object], code: str
) -> None:
    with expect_refusal(code):
        creation.create(stage.organizer, plan(**times), rng=random.Random(1))
    with expect_refusal(code):
        creation.edit(cup.pk, plan(**times), actor=stage.organizer)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=cup.pk).update(starts_at=stage.now)


def test_form_creates_one_and_can_remove_a_deadline(stage: TournamentHarness) -> None:
    client = client_of(stage.organizer)
    client.post(reverse("tournament-new"), answers(start="hand", deadline="", name="Open end"))
    made = Tournament.objects.get(name="Open end")
    assert (made.deadline, made.starts_at) == (None, None)
    other = stage.create_tournament()
    changed = client.post(
        reverse("tournament-edit", args=[other.pk]), answers(start="hand", deadline="", name="Now open")
    )
    assert changed.status_code == 302, changed.content.decode()
    other.refresh_from_db()
    assert (other.deadline, other.starts_at) == (None, None)
    detail = tournaments.detail(made.pk, stage.organizer)
    assert detail is not None
    shown = initial_tournament_values(detail)
    assert (shown["start"], shown["deadline"], shown["starts_at"]) == ("hand", None, None)


@pytest.mark.long
def test_every_page_shows_how_long_entries_are_open(stage: TournamentHarness, cup: Tournament) -> None:
    stage.enter_bots(cup, 2)
    organizer, visitor = client_of(stage.organizer), Client()
    page = visitor.get(reverse("tournament", args=[cup.pk])).content.decode()
    assert "no_deadline" in note_codes(page)
    assert "data-countdown" not in page
    assert "no_deadline" in note_codes(visitor.get(reverse("tournament-list")).content.decode())
    operations = organizer.get(reverse("tournament-operations", args=[cup.pk]))
    assert [bool(step.hint) for step in operations.context["steps"]] == [False, True, True, False, False]
    assert "Extend deadline" not in operations.content.decode()
    for name in ("home", "tournament-list"):
        assert visitor.get(reverse(name)).status_code == 200
    for name in ("tournament-edit", "tournament-snapshot"):
        assert organizer.get(reverse(name, args=[cup.pk])).status_code == 200


def test_tournaments_with_a_deadline_are_listed_first(stage: TournamentHarness, cup: Tournament) -> None:
    dated = stage.create_tournament()
    assert [card.id for card in tournaments.upcoming_tournaments(stage.organizer, 9)] == [dated.pk, cup.pk]
