"""Extending the deadline: when it is possible, and what it reopens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from arena.tournaments.entries.freezing import freeze
from arena.tournaments.models import Activity, ActivityKind, EntryStatus, TournamentStatus
from arena.tournaments.services import extensions
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness
from tests.tournaments.organizer import client_of

HOUR = timedelta(hours=1)


@pytest.mark.long
def test_extending_reopens_a_frozen_tournament(stage: TournamentHarness) -> None:
    cup = stage.create_tournament()
    ready, late = stage.create_bot(cup), stage.create_bot(cup, playable=False)
    stage.enter_bots(cup, [ready, late])
    stage.enter_bots(cup, 1)
    stage.pass_time(HOUR)
    stage.run_committed(freeze, cup.pk, now=stage.now)
    cup.refresh_from_db()
    assert (cup.status, cup.starts_at) == (TournamentStatus.FROZEN, cup.deadline)
    assert cup.entries.get(bot=late).status == EntryStatus.EXCLUDED
    later = stage.now + HOUR
    stage.run_committed(extensions.extend_deadline, cup.pk, later, actor=stage.organizer, now=stage.now)
    cup.refresh_from_db()
    assert (cup.status, cup.deadline, cup.starts_at) == (TournamentStatus.OPEN, later, later)
    assert set(cup.entries.values_list("status", "submission", "reason")) == {(EntryStatus.ENTERED, None, "")}
    late.active = factories.submission(late)
    late.save()
    stage.enter_bots(cup, 1)
    stage.pass_time(HOUR)
    stage.tick()
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.RUNNING
    assert cup.entries.filter(submission__isnull=False).count() == 4
    line = Activity.objects.get(kind=ActivityKind.EXTENDED)
    assert (line.actor, line.details["after"]) == (stage.organizer, later.isoformat())
    assert [event["seq"] for event in stage.events(cup)] == list(range(1, cup.version + 1))


def test_start_is_moved_only_if_before_the_new_deadline(stage: TournamentHarness) -> None:
    far, near = (
        stage.create_tournament(starts_at=stage.now + 9 * HOUR),
        stage.create_tournament(starts_at=stage.now + 2 * HOUR),
    )
    for cup in (far, near):
        stage.run_committed(
            extensions.extend_deadline, cup.pk, stage.now + 3 * HOUR, actor=stage.organizer, now=stage.now
        )
        cup.refresh_from_db()
    assert (far.starts_at, near.starts_at) == (stage.now + 9 * HOUR, stage.now + 3 * HOUR)


@pytest.mark.long
def test_deadline_only_moves_later_and_not_past_the_start(stage: TournamentHarness) -> None:
    cup, running = stage.create_tournament(), stage.start_tournament(2)
    for moment in (stage.now - HOUR, cup.deadline, stage.now):
        with expect_refusal("deadline_passed"):
            extensions.extend_deadline(cup.pk, moment, actor=stage.organizer, now=stage.now)
    with expect_refusal("already_started"):
        extensions.extend_deadline(running.pk, stage.now + HOUR, actor=stage.organizer, now=stage.now)
    fresh = stage.create_tournament()
    with expect_refusal("not_later"):
        extensions.extend_deadline(fresh.pk, fresh.deadline, actor=stage.organizer, now=stage.now)


def test_freezing_respects_a_deadline_just_extended(stage: TournamentHarness) -> None:
    cup = stage.create_tournament()
    stage.enter_bots(cup, 2)
    stage.run_committed(extensions.extend_deadline, cup.pk, cup.deadline + HOUR, actor=stage.organizer, now=stage.now)
    assert not stage.run_committed(freeze, cup.pk, now=stage.now + HOUR)


@pytest.mark.long
def test_form_uses_time_zone_of_the_tournament(stage: TournamentHarness) -> None:
    cup = stage.create_tournament(time_zone="Asia/Shanghai")
    client = client_of(stage.organizer)
    url = reverse("tournament-extend", args=[cup.pk])
    year = timezone.now().year + 1
    assert client.post(url, {"extend-deadline": f"{year}-05-04T20:00"}).status_code == 302
    cup.refresh_from_db()
    assert cup.deadline.isoformat() == f"{year}-05-04T12:00:00+00:00"
    refused = client.post(url, {"extend-deadline": "2001-05-04T20:00"})
    assert refused.status_code == 422
    assert "2001-05-04T20:00" in refused.content.decode()
