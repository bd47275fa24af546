"""Entries are frozen at the deadline: which version of a bot plays, and why some bots are left out."""

from datetime import timedelta

import pytest

from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.entries.freezing import MAX_DELAY, checks_under_way
from arena.tournaments.models import (
    ActivityKind,
    EntryReason,
    EntryStatus,
    TournamentStatus,
)
from tests import factories
from tests.tournaments.harness import TournamentHarness

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.long
def test_freezing_waits_for_checks_of_timely_uploads(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    late = stage.create_bot(tournament, playable=False)
    stage.enter_bots(tournament, [late, stage.create_bot(tournament), stage.create_bot(tournament)])
    upload = factories.submission(late, SubmissionStatus.CHECKING)
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.OPEN
    assert checks_under_way(tournament.pk, tournament.deadline) == 1
    Submission.objects.filter(pk=upload.pk).update(status=SubmissionStatus.PASSED)
    late.active = upload
    late.save()
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.RUNNING
    assert tournament.entries.get(bot=late).submission == upload


@pytest.mark.long
def test_freezing_stops_waiting_for_a_check_that_hangs(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    stuck = stage.create_bot(tournament, playable=False)
    stage.enter_bots(tournament, [stuck, stage.create_bot(tournament), stage.create_bot(tournament)])
    factories.submission(stuck, SubmissionStatus.WAITING)
    stage.pass_time(HOUR + MAX_DELAY)
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.RUNNING
    entry = tournament.entries.get(bot=stuck)
    assert (entry.status, entry.reason) == (EntryStatus.EXCLUDED, EntryReason.CHECK_UNFINISHED)


@pytest.mark.long
def test_bots_without_a_passed_submission_are_excluded_with_reason(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    empty, failed, void = (stage.create_bot(tournament, playable=False) for _ in range(3))
    retired = stage.create_bot(tournament)
    stage.enter_bots(
        tournament, [empty, failed, void, retired, stage.create_bot(tournament), stage.create_bot(tournament)]
    )
    factories.submission(failed, SubmissionStatus.FAILED)
    factories.submission(void, SubmissionStatus.VOID)
    retired.retired = True
    retired.save()
    stage.pass_time(HOUR)
    stage.tick()
    reasons = {entry.bot_id: entry.reason for entry in tournament.entries.filter(status=EntryStatus.EXCLUDED)}
    assert reasons == {
        empty.pk: EntryReason.NO_UPLOAD,
        failed.pk: EntryReason.CHECK_FAILED,
        void.pk: EntryReason.CHECK_VOID,
        retired.pk: EntryReason.RETIRED,
    }
    assert stage.activity_kinds(tournament).count(ActivityKind.EXCLUDED) == 4
    assert len(stage.matches(tournament)) == 1
    rows = {row["name"]: row for row in stage.snapshot(tournament)["rows"]}
    assert rows[failed.name]["status"] == "excluded"
    assert rows[failed.name]["reason"] == "check_failed"


@pytest.mark.long
def test_upload_after_deadline_does_not_play(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    bot = stage.create_bot(tournament)
    in_time = bot.active
    stage.enter_bots(tournament, [bot, stage.create_bot(tournament)])
    late = factories.submission(bot)
    Submission.objects.filter(pk=late.pk).update(uploaded_at=tournament.deadline + MINUTE)
    bot.active = late
    bot.save()
    stage.pass_time(HOUR + 2 * MINUTE)
    stage.tick()
    assert tournament.entries.get(bot=bot).submission == in_time
