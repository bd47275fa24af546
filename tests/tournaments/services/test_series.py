"""Recurring tournaments: each is created once, at the same local time."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape

from arena.accounts.models import Role, User
from arena.classes import services as classes
from arena.tournaments.entries.registration import invite
from arena.tournaments.models import NO_ORGANIZER, Series, Tournament, TournamentStatus
from arena.tournaments.queries.series import problem_text
from arena.tournaments.services import series
from arena.tournaments.services.creation import TournamentPlan
from tests import factories
from tests.refusals import expect_refusal
from tests.tournaments.form_data import answers, form, local_input
from tests.tournaments.harness import TournamentHarness

BERLIN = ZoneInfo("Europe/Berlin")
WEEK = timedelta(days=7)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (datetime(2026, 11, 26, 12, tzinfo=BERLIN), datetime(2026, 11, 27, 18, tzinfo=BERLIN)),
        (datetime(2026, 11, 27, 17, 59, tzinfo=BERLIN), datetime(2026, 11, 27, 18, tzinfo=BERLIN)),
        (datetime(2026, 11, 27, 18, tzinfo=BERLIN), datetime(2026, 12, 4, 18, tzinfo=BERLIN)),
        # The clocks go back on 25 October and forward on 28 March, and 18:00 stays 18:00.
        (datetime(2026, 10, 23, 18, tzinfo=BERLIN), datetime(2026, 10, 30, 17, tzinfo=UTC)),
        (datetime(2027, 3, 26, 18, tzinfo=BERLIN), datetime(2027, 4, 2, 16, tzinfo=UTC)),
    ],
)
def test_local_time_is_kept_across_daylight_saving(after: datetime, expected: datetime) -> None:
    assert series.next_start(after, 4, time(18), BERLIN) == expected


def valid_plan() -> TournamentPlan:
    filled = form()
    assert filled.is_valid(), filled.errors
    return filled.plan()


def create_weekly_tournament(stage: TournamentHarness) -> Tournament:
    """Create a weekly tournament through the form."""
    client = Client()
    client.force_login(stage.organizer)
    start = (stage.now + timedelta(hours=3)).astimezone(BERLIN)
    plan = answers(deadline=f"{start:%Y-%m-%dT%H:%M}", time_zone="Europe/Berlin", weekly="on", name="Friday cup")
    assert client.post(reverse("tournament-new"), plan).status_code == 302
    return Tournament.objects.get()


@pytest.mark.long
def test_pages_of_a_series_link_to_the_editions_that_the_reader_may_see(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    for _ in range(2):
        stage.now = Series.objects.get().next_at - WEEK
        series.create_due(now=stage.now)
    second, third = Tournament.objects.exclude(pk=first.pk).order_by("pk")

    def editions(tournament: Tournament) -> list[tuple[str, str]]:
        page = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
        assert ('data-part="repeats"' in page) == Series.objects.get().is_active
        return re.findall(r'href="([^"]*)" rel="(prev|next)"', page)

    def link(tournament: Tournament, rel: str) -> tuple[str, str]:
        return reverse("tournament", args=[tournament.pk]), rel

    assert editions(first) == [link(second, "next")]
    assert editions(second) == [link(first, "prev"), link(third, "next")]
    course = classes.create(factories.person(role=Role.ORGANIZER), classes.CoursePlan("AI 101"), rng=random.Random(1))
    Tournament.objects.filter(pk=second.pk).update(members_only=True, course=course)
    Series.objects.update(is_active=False)
    assert editions(third) == [link(first, "prev")]


def test_next_tournament_opens_once_when_the_previous_one_starts(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    assert series.create_due(now=stage.now) == 0
    stage.now = first.starts_at
    assert series.create_due(now=stage.now) == 1
    assert series.create_due(now=stage.now) == 0
    stage.tick()
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert second.series_id == first.series_id
    assert second.starts_at.astimezone(BERLIN).time() == first.starts_at.astimezone(BERLIN).time()
    assert second.starts_at.astimezone(BERLIN).date() == first.starts_at.astimezone(BERLIN).date() + WEEK
    assert (second.name, second.format, second.matches_per_encounter, second.time_zone) == (
        "Friday cup",
        first.format,
        2,
        str(BERLIN),
    )
    assert second.seed != first.seed


def test_concurrent_schedulers_create_a_tournament_once(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    (row,) = Series.objects.select_related("organizer")
    assert series._create(row, first.starts_at)
    assert not series._create(row, first.starts_at), "the second worked on what the first has changed"
    assert Tournament.objects.count() == 2


def test_missed_weeks_are_skipped(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    away = first.starts_at + 5 * WEEK + timedelta(days=1)
    assert series.create_due(now=away) == 1
    newest = Tournament.objects.order_by("-pk").first()
    assert away < newest.starts_at <= away + WEEK


def test_series_that_is_no_longer_allowed_stops_with_a_reason(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    Series.objects.update(plan={**Series.objects.get().plan, "members_only": True})
    assert series.create_due(now=first.starts_at) == 0
    row = Series.objects.get()
    assert not row.is_active
    assert row.problem == "course_missing"


def test_series_stops_when_its_organizer_leaves(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    User.objects.filter(pk=stage.organizer.pk).update(role=Role.STUDENT)
    assert series.create_due(now=first.starts_at) == 0
    assert Series.objects.get().problem == NO_ORGANIZER


@pytest.mark.parametrize("code", [NO_ORGANIZER, "course_missing", "not_a_teacher", "one_seat", "unknown_names"])
def test_stop_reason_is_shown_in_the_readers_language(stage: TournamentHarness, code: str) -> None:
    create_weekly_tournament(stage)
    Series.objects.update(is_active=False, problem=code)
    client = Client()
    client.force_login(stage.organizer)
    for language in ("en", "zh-hans"):
        page = client.get(reverse("tournament-series"), headers={"Accept-Language": language}).content.decode()
        with translation.override(language):
            assert escape(problem_text("reversi", code)) in page
        assert f'data-problem="{code}"' in page
    with translation.override("en"):
        english = problem_text("reversi", code)
    with translation.override("zh-hans"):
        assert english != problem_text("reversi", code)


def test_failing_series_does_not_block_others(stage: TournamentHarness, caplog: pytest.LogCaptureFixture) -> None:
    first = create_weekly_tournament(stage)
    broken = Series.objects.get()
    broken.pk, broken.plan = None, {**broken.plan, "column_of_long_ago": 1}
    broken.save()
    stage.now = first.starts_at
    stage.tick()
    assert Tournament.objects.exclude(pk=first.pk).count() == 1
    assert f"series {broken.pk}" in caplog.text
    first.refresh_from_db()
    assert first.status != TournamentStatus.OPEN


def test_invitations_are_copied_to_the_next_tournament(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    guest, former = factories.person(), factories.person()
    invite(first.pk, [guest.username, former.username], actor=stage.organizer)
    User.objects.filter(pk=former.pk).update(is_active=False)
    assert series.create_due(now=first.starts_at) == 1
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert [one.person for one in second.invitations.all()] == [guest]


def test_tournament_with_a_past_deadline_is_skipped(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    Series.objects.update(closes_before=timedelta(days=2))
    assert series.create_due(now=first.starts_at + 6 * timedelta(days=1)) == 1
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert second.starts_at == first.starts_at + 2 * WEEK


def test_deadline_keeps_local_time_across_daylight_saving(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    autumn = datetime(2026, 10, 26, 12, tzinfo=BERLIN)  # a Monday; the clocks were set back on Sunday
    Series.objects.update(weekday=0, at=time(12), next_at=autumn, closes_before=timedelta(days=3))
    assert series.create_due(now=autumn - timedelta(days=6)) == 1
    second = Tournament.objects.exclude(pk=first.pk).get()
    assert second.starts_at == autumn
    assert second.deadline == datetime(2026, 10, 23, 12, tzinfo=BERLIN)


@pytest.mark.long
@pytest.mark.parametrize("following", [True, False])
def test_edit_optionally_applies_to_following_weeks(stage: TournamentHarness, following: bool) -> None:
    first = create_weekly_tournament(stage)
    client = Client()
    client.force_login(stage.organizer)
    page = reverse("tournament-edit", args=[first.pk])
    assert 'name="following"' in client.get(page).content.decode()
    start = (first.starts_at + timedelta(days=1, hours=-1)).astimezone(BERLIN)
    changes = {"deadline": f"{start:%Y-%m-%dT%H:%M}", "time_zone": "Europe/Berlin", "name": "Saturday cup"}
    plan = answers(**changes, **({"following": "on"} if following else {}))
    assert client.post(page, plan).status_code == 302
    row = Series.objects.get()
    assert row.name == ("Saturday cup" if following else "Friday cup")
    assert row.next_at == (start if following else first.starts_at.astimezone(BERLIN)) + WEEK
    assert series.create_due(now=start + timedelta(minutes=1)) == 1
    assert 'name="following"' not in client.get(page).content.decode(), "a newer one is there"


def test_refused_repetition_leaves_no_tournament(stage: TournamentHarness) -> None:
    plan = replace(valid_plan(), deadline=None, starts_at=None)
    with expect_refusal("start_missing"):
        series.create_weekly(stage.organizer, plan, rng=random.Random(1))
    assert not Tournament.objects.exists()
    assert not Series.objects.exists()


def test_refused_change_of_a_series_leaves_its_tournament_unchanged(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    plan = replace(valid_plan(), name="Saturday cup", deadline=None, starts_at=None)
    with expect_refusal("start_missing"):
        series.edit_series(first.series_id, first.pk, plan, actor=stage.organizer)
    first.refresh_from_db()
    assert (first.name, Series.objects.get().name) == ("Friday cup", "Friday cup")


def test_entry_period_of_a_week_cannot_recur_weekly() -> None:
    now = timezone.now()
    times = {
        "start": "time",
        "deadline": local_input(now + timedelta(days=1)),
        "starts_at": local_input(now + timedelta(days=8)),
    }
    assert form(**times, weekly="on").has_error("weekly", "deadline_too_early")
    assert form(**times).is_valid()


def test_series_is_paused_and_resumed(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    client = Client()
    client.force_login(stage.organizer)
    page = client.get(reverse("tournament-series")).content.decode()
    assert "Friday cup" in page
    assert "Europe/Berlin" in page
    client.post(reverse("tournament-series-pause", args=[first.series_id]))
    assert series.create_due(now=first.starts_at) == 0
    assert "Paused" in client.get(reverse("tournament-series")).content.decode()
    client.post(reverse("tournament-series-resume", args=[first.series_id]))
    assert series.create_due(now=first.starts_at) == 1


def test_only_its_organizer_controls_a_series(stage: TournamentHarness) -> None:
    first = create_weekly_tournament(stage)
    pause = reverse("tournament-series-pause", args=[first.series_id])
    for person, status in (
        (factories.person(), 403),
        (factories.person(role=Role.ORGANIZER), 403),
        (factories.person(is_staff=True), 302),
    ):
        client = Client()
        client.force_login(person)
        assert client.post(pause).status_code == status
    assert Client().post(pause).status_code == 302, "to the login page"
    stranger = Client()
    stranger.force_login(factories.person(role=Role.ORGANIZER))
    assert 'data-empty="none"' in stranger.get(reverse("tournament-series")).content.decode()


def test_times_use_and_show_the_time_zone_of_the_form(stage: TournamentHarness) -> None:
    moment = (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    filled = form(deadline=f"{moment.astimezone(ZoneInfo('Asia/Tokyo')):%Y-%m-%dT%H:%M}", time_zone="Asia/Tokyo")
    assert filled.is_valid(), filled.errors
    assert filled.plan().deadline == moment
    assert filled.plan().time_zone == "Asia/Tokyo"
    tournament = stage.create_tournament(time_zone="Asia/Tokyo")
    assert "(Asia/Tokyo)" in Client().get(reverse("tournament", args=[tournament.pk])).content.decode()


@pytest.mark.parametrize("start", ["now", "hand"])
def test_recurring_tournament_needs_a_start_time(start: str) -> None:
    filled = form(start=start, weekly="on", house_bots=["1", "2"])
    assert not filled.is_valid()
    assert filled.has_error("weekly", "start_missing")
