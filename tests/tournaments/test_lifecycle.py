"""Ticks take a tournament from its deadline to its end."""

from datetime import timedelta

import pytest

from arena.matches.models import MatchStatus
from arena.tournaments import lifecycle
from arena.tournaments.entries.freezing import freeze
from arena.tournaments.lifecycle import TRANSITIONS
from arena.tournaments.models import (
    ActivityKind,
    EndReason,
    Format,
    TournamentStatus,
)
from arena.tournaments.rounds import reconciliation
from arena.tournaments.services import controls
from tests.tournaments.harness import TournamentHarness

HOUR = timedelta(hours=1)


def test_every_status_has_transitions_except_final_ones() -> None:
    assert set(TRANSITIONS) == set(TournamentStatus)
    assert TRANSITIONS[TournamentStatus.CANCELLED] == frozenset()
    with pytest.raises(ValueError, match="no transition"):
        lifecycle.change_status(1, TournamentStatus.RUNNING, only_from=TournamentStatus.OPEN)


@pytest.mark.long
def test_tournament_freezes_starts_and_finishes_automatically(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, 3)
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.OPEN
    stage.pass_time(HOUR)
    stage.tick()
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.RUNNING
    assert [entry.submission_id for entry in tournament.entries.all()] == [
        entry.bot.active_id for entry in tournament.entries.all()
    ]
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 3
    for match in stage.matches(tournament):
        stage.begin_match(match)
        stage.finish_match(match, (1, 2))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert stage.activity_kinds(tournament)[-3:] == [ActivityKind.FROZEN, ActivityKind.STARTED, ActivityKind.FINISHED]
    assert tournament.finished_at is not None


@pytest.mark.long
def test_live_events_are_numbered_without_gaps(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    for match in stage.matches(tournament):
        stage.begin_match(match)
        stage.finish_match(match, (1, 2))
    tournament.refresh_from_db()
    events = stage.events(tournament)
    assert [event["seq"] for event in events] == list(range(1, tournament.version + 1))
    assert [event["type"] for event in events if event["type"] == "result"] == ["result"] * 3
    assert events[-1] == {
        "seq": tournament.version,
        "type": "status",
        "status": "finished",
        "progress": {"finished": 3, "total": 3, "running": 0, "failed": 0, "ends_at": None},
    }
    assert stage.snapshot(tournament)["seq"] == tournament.version


@pytest.mark.long
def test_frozen_tournament_waits_for_start_time_or_organizer(stage: TournamentHarness) -> None:
    later = stage.create_tournament(starts_at=stage.now + 2 * HOUR)
    by_hand = stage.create_tournament(starts_at=None)
    for tournament in (later, by_hand):
        stage.enter_bots(tournament, 2)
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(later) == stage.status(by_hand) == TournamentStatus.FROZEN
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(later) == TournamentStatus.RUNNING
    assert stage.status(by_hand) == TournamentStatus.FROZEN
    stage.run_committed(controls.start_now, by_hand.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(by_hand) == TournamentStatus.RUNNING


@pytest.mark.parametrize("entries", [0, 1])
def test_tournament_with_fewer_than_two_entries_is_cancelled(stage: TournamentHarness, entries: int) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, entries)
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.CANCELLED
    assert tournament.end_reason == EndReason.TOO_FEW_ENTRIES
    assert stage.activity_kinds(tournament)[-1] == ActivityKind.CANCELLED


@pytest.mark.long
def test_concurrent_ticks_perform_each_step_once(stage: TournamentHarness) -> None:
    tournament = stage.create_tournament()
    stage.enter_bots(tournament, 4)
    stage.pass_time(HOUR)
    assert stage.run_committed(freeze, tournament.pk, now=stage.now)
    assert not stage.run_committed(freeze, tournament.pk, now=stage.now)
    assert stage.run_committed(reconciliation.start, tournament.pk, now=stage.now)
    assert not stage.run_committed(reconciliation.start, tournament.pk, now=stage.now)
    version = stage.snapshot(tournament)["seq"]
    for _ in range(3):
        stage.tick()
    assert len(stage.matches(tournament)) == 6
    assert stage.snapshot(tournament)["seq"] == version
    assert stage.activity_kinds(tournament).count(ActivityKind.STARTED) == 1


@pytest.mark.long
def test_failing_tournament_does_not_block_others(stage: TournamentHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = stage.create_tournament(), stage.create_tournament()
    stage.enter_bots(sound, 2)
    stage.enter_bots(broken, 2)
    stage.pass_time(HOUR)
    type(broken).objects.filter(pk=broken.pk).update(game="nothing", format=Format.TABLE, repeats=0)
    stage.tick()
    assert stage.status(sound) == TournamentStatus.RUNNING
