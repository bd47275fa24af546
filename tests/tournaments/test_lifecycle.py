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
from tests.tournaments.stage import Stage

HOUR = timedelta(hours=1)


def test_every_status_has_transitions_except_final_ones() -> None:
    assert set(TRANSITIONS) == set(TournamentStatus)
    assert TRANSITIONS[TournamentStatus.CANCELLED] == frozenset()
    with pytest.raises(ValueError, match="no transition"):
        lifecycle.change_status(1, TournamentStatus.RUNNING, only_from=TournamentStatus.OPEN)


def test_tournament_freezes_starts_and_finishes_automatically(stage: Stage) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, 3)
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
        stage.begin(match)
        stage.end(match, (1, 2))
    assert stage.status(tournament) == TournamentStatus.FINISHED
    assert stage.kinds(tournament)[-3:] == [ActivityKind.FROZEN, ActivityKind.STARTED, ActivityKind.FINISHED]
    assert tournament.finished_at is not None


def test_live_events_are_numbered_without_gaps(stage: Stage) -> None:
    tournament = stage.running(3)
    for match in stage.matches(tournament):
        stage.begin(match)
        stage.end(match, (1, 2))
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
    assert stage.shown(tournament)["seq"] == tournament.version


def test_frozen_tournament_waits_for_start_time_or_organizer(stage: Stage) -> None:
    later = stage.tournament(starts_at=stage.now + 2 * HOUR)
    by_hand = stage.tournament(starts_at=None)
    for tournament in (later, by_hand):
        stage.enter(tournament, 2)
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(later) == stage.status(by_hand) == TournamentStatus.FROZEN
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(later) == TournamentStatus.RUNNING
    assert stage.status(by_hand) == TournamentStatus.FROZEN
    stage.do(controls.start_now, by_hand.pk, actor=stage.organizer, now=stage.now)
    assert stage.status(by_hand) == TournamentStatus.RUNNING


@pytest.mark.parametrize("entries", [0, 1])
def test_tournament_with_fewer_than_two_entries_is_cancelled(stage: Stage, entries: int) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, entries)
    stage.pass_time(HOUR)
    stage.tick()
    assert stage.status(tournament) == TournamentStatus.CANCELLED
    assert tournament.end_reason == EndReason.TOO_FEW_ENTRIES
    assert stage.kinds(tournament)[-1] == ActivityKind.CANCELLED


def test_concurrent_ticks_perform_each_step_once(stage: Stage) -> None:
    tournament = stage.tournament()
    stage.enter(tournament, 4)
    stage.pass_time(HOUR)
    assert stage.do(freeze, tournament.pk, now=stage.now)
    assert not stage.do(freeze, tournament.pk, now=stage.now)
    assert stage.do(reconciliation.start, tournament.pk, now=stage.now)
    assert not stage.do(reconciliation.start, tournament.pk, now=stage.now)
    version = stage.shown(tournament)["seq"]
    for _ in range(3):
        stage.tick()
    assert len(stage.matches(tournament)) == 6
    assert stage.shown(tournament)["seq"] == version
    assert stage.kinds(tournament).count(ActivityKind.STARTED) == 1


def test_failing_tournament_does_not_block_others(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = stage.tournament(), stage.tournament()
    stage.enter(sound, 2)
    stage.enter(broken, 2)
    stage.pass_time(HOUR)
    type(broken).objects.filter(pk=broken.pk).update(game="nothing", format=Format.TABLE, repeats=0)
    stage.tick()
    assert stage.status(sound) == TournamentStatus.RUNNING
