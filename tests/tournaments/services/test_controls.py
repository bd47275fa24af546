"""The organizer's controls for a tournament: start, pause, resume and cancel."""

from datetime import timedelta

import pytest

from arena.matches.models import MatchStatus
from arena.platform.refusal import Refused
from arena.tournaments import scheduler
from arena.tournaments.models import (
    EndReason,
    TournamentStatus,
)
from arena.tournaments.services import controls
from tests.refusals import expect_refusal
from tests.tournaments.harness import TournamentHarness

MINUTE = timedelta(minutes=1)


@pytest.mark.long
def test_immediate_start_closes_entries_and_needs_two(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, 1)
    with expect_refusal("too_few_bots"):
        controls.start_now(tournament.pk, actor=stage.organizer, now=stage.now)
    stage.enter_bots(tournament, 1)
    stage.pass_time(MINUTE)
    stage.run_committed(controls.start_now, tournament.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(tournament) == TournamentStatus.RUNNING
    assert tournament.deadline == stage.now
    with pytest.raises(Refused):
        controls.start_now(tournament.pk, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_pause_unqueues_unclaimed_matches_until_resumed(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    playing, *_ = stage.matches(tournament)
    stage.begin_match(playing)
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(tournament) == TournamentStatus.PAUSED
    assert len(stage.matches(tournament, MatchStatus.PLANNED)) == 5
    stage.finish_match(playing, (2, 1))
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.PAUSED
    assert not stage.matches(tournament, MatchStatus.QUEUED)
    with expect_refusal("wrong_status"):
        controls.pause(tournament.pk, actor=stage.organizer, now=stage.now)
    stage.run_committed(controls.resume, tournament.pk, actor=stage.organizer, now=stage.now)
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 5
    with pytest.raises(Refused):
        controls.resume(tournament.pk, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_match_requeued_during_a_pause_waits(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    stage.run_committed(controls.pause, tournament.pk, actor=stage.organizer, now=stage.now)
    match = stage.matches(tournament)[0]
    match.status = MatchStatus.QUEUED
    match.save()
    stage.tick()
    assert not stage.matches(tournament, MatchStatus.QUEUED)


@pytest.mark.long
def test_cancelled_tournament_plays_no_more_matches(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4)
    playing, done, *_ = stage.matches(tournament)
    stage.begin_match(playing)
    stage.finish_match(done, (1, 2))
    stage.run_committed(controls.cancel_tournament, tournament.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(tournament) == TournamentStatus.CANCELLED
    assert tournament.end_reason == EndReason.BY_ORGANIZER
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 5
    assert stage.snapshot(tournament)["progress"] == {
        "finished": 1,
        "total": 1,
        "running": 0,
        "failed": 0,
        "ends_at": None,
    }
    with expect_refusal("wrong_status"):
        controls.cancel_tournament(tournament.pk, actor=stage.organizer, now=stage.now)


@pytest.mark.long
def test_interrupted_cancellation_is_completed_by_next_tick(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    tournament.status = TournamentStatus.CANCELLED
    tournament.save()
    stage.tick()
    assert len(stage.matches(tournament, MatchStatus.CANCELLED)) == 3
    assert scheduler.tick(now=stage.now) == 0
