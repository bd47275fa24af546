"""Standings are refreshed by one process at a time, not after every result, and are always complete at the end."""

from datetime import datetime, timedelta

import pytest
from django.db import transaction

from arena.games.base import Outcome, Termination
from arena.matches.callbacks import StoredResult
from arena.matches.models import MatchStatus
from arena.tournaments.match_callbacks import CALLBACKS
from arena.tournaments.models import Standing, Tournament
from arena.tournaments.standings import store
from tests.tournaments.harness import TournamentHarness

SECOND = timedelta(seconds=1)
WON = Outcome((1.0, 0.0), (1, 2), (4.0, -4.0), Termination.COMPLETED)


class Stopwatch:
    """A fake clock that makes every computation appear to take ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._now = seconds, 0.0

    def __call__(self) -> float:
        self._now += self._seconds
        return self._now


def stored_standing(tournament: Tournament) -> Standing:
    return Standing.objects.get(tournament=tournament)


def refresh_if_due(stage: TournamentHarness, tournament: Tournament, now: datetime, seconds: float = 0.01) -> bool:
    drawn: bool = stage.run_committed(store.refresh_if_due, tournament.pk, now=now, stopwatch=Stopwatch(seconds))
    return drawn


def store_result(stage: TournamentHarness, tournament: Tournament) -> None:
    """Store a result in a transaction, without running its on-commit callbacks."""
    match = stage.matches(tournament, MatchStatus.QUEUED)[0]
    match.status = MatchStatus.FINISHED
    match.save()
    with transaction.atomic():
        CALLBACKS.finished(StoredResult(match.pk, WON, ("", "")))


@pytest.mark.parametrize("played", [1, 12])
@pytest.mark.parametrize("entries", [4, 9])
def test_result_takes_a_constant_number_of_queries(
    stage: TournamentHarness, django_assert_num_queries, entries: int, played: int
) -> None:
    tournament = stage.start_tournament(entries, repeats=10)
    for _ in range(played):
        store_result(stage, tournament)
    match = stage.matches(tournament, MatchStatus.QUEUED)[0]
    match.status = MatchStatus.FINISHED
    match.save()
    with django_assert_num_queries(11), transaction.atomic():
        CALLBACKS.finished(StoredResult(match.pk, WON, ("", "")))


@pytest.mark.long
def test_standings_are_refreshed_at_most_once_a_second(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5)
    now = stored_standing(tournament).due_at
    store_result(stage, tournament)
    assert refresh_if_due(stage, tournament, now)
    store_result(stage, tournament)
    assert not refresh_if_due(stage, tournament, now + SECOND / 2)
    assert stored_standing(tournament).finished == 1
    assert refresh_if_due(stage, tournament, now + SECOND)
    assert stored_standing(tournament).finished == 2
    assert not refresh_if_due(stage, tournament, now + 5 * SECOND), "nothing came in since"


@pytest.mark.long
def test_refreshing_takes_at_most_a_twentieth_of_the_time(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5)
    now = stored_standing(tournament).due_at
    store_result(stage, tournament)
    assert refresh_if_due(stage, tournament, now, seconds=3.0)
    store_result(stage, tournament)
    assert not refresh_if_due(stage, tournament, now + 59 * SECOND)
    assert refresh_if_due(stage, tournament, now + 60 * SECOND)


@pytest.mark.long
def test_one_process_refreshes_and_a_dead_one_is_replaced(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5)
    now = stored_standing(tournament).due_at
    store_result(stage, tournament)
    Standing.objects.filter(tournament=tournament).update(busy_until=now + store.COMPUTATION_TIMEOUT)
    assert not refresh_if_due(stage, tournament, now)
    assert refresh_if_due(stage, tournament, now + store.COMPUTATION_TIMEOUT)


@pytest.mark.long
def test_clock_set_back_does_not_delay_refresh(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5)
    now = stored_standing(tournament).due_at
    store_result(stage, tournament)
    later = now + timedelta(hours=1)
    Standing.objects.filter(tournament=tournament).update(due_at=later, busy_until=later + store.COMPUTATION_TIMEOUT)
    assert refresh_if_due(stage, tournament, now)


@pytest.mark.long
def test_slower_process_never_overwrites_newer_standings(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    store_result(stage, tournament)
    stage.refresh_standings()
    Standing.objects.filter(tournament=tournament).update(counted=99, finished=3)
    version = stage.snapshot(tournament)["seq"]
    stage.run_committed(store.refresh, tournament.pk, now=stage.now)
    assert stored_standing(tournament).finished == 3
    assert stage.snapshot(tournament)["seq"] == version


@pytest.mark.long
def test_tick_refreshes_stale_standings(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(5)
    stage.now = stored_standing(tournament).due_at
    store_result(stage, tournament)
    assert store.stale_tournaments() == [tournament.pk]
    stage.tick()
    assert store.stale_tournaments() == []
    assert stored_standing(tournament).finished == 1


@pytest.mark.long
def test_finished_tournament_has_complete_standings(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(3)
    Standing.objects.filter(tournament=tournament).update(due_at=stage.now + 900 * SECOND)
    for _ in range(3):
        store_result(stage, tournament)
    stage.tick()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert stored_standing(tournament).finished == 3
    assert sum(row["points"] for row in stage.snapshot(tournament)["rows"]) == 3.0
