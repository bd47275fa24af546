"""Forecasts of a tournament's duration: the number of matches comes from the format, their length from measurements."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arena.core.duration_estimate import DurationRange, PlayedMatch
from arena.matches.models import Match, Purpose, Seat
from arena.platform.workers.models import Worker
from arena.tournaments.queries.forecast import (
    WorkerCapacity,
    equal_share,
    forecasts,
    recent_matches,
    worker_capacity,
)
from tests import factories
from tests.tournaments.filled import NOW, form
from tests.tournaments.harness import TournamentHarness

ALONE = WorkerCapacity(processes=1)


def columns(**changes: Any) -> dict[str, Any]:
    filled = form(**changes)
    assert filled.is_valid()
    return filled.plan().columns()


@pytest.mark.parametrize(
    ("changes", "matches"),
    [
        ({"openings": "start", "matches_per_encounter": "1"}, 45),
        ({"matches_per_encounter": "2", "repeats": "3"}, 270),
        ({"format": "knockout", "matches_per_encounter": "2", "third_place": "on"}, 20),
        ({"format": "knockout", "matches_per_encounter": "2"}, 18),
        ({"format": "gauntlet", "matches_per_encounter": "1"}, 21),  # three house bots play the other seven
        ({"format": "swiss", "rounds": "4", "matches_per_encounter": "1"}, 20),
    ],
)
@pytest.mark.django_db
def test_number_of_matches_depends_on_format(changes: dict[str, Any], matches: int) -> None:
    (found,) = forecasts(columns(**changes), [10], house_bots=3, sample=[], capacity=ALONE)
    assert found.matches == matches


@pytest.mark.django_db
def test_duration_depends_on_matches_and_workers() -> None:
    plan = columns(openings="start", matches_per_encounter="1")
    sample = [PlayedMatch(60, 60, 2, 20.0)] * 20
    one, four = (
        forecasts(plan, [10], house_bots=0, sample=sample, capacity=WorkerCapacity(processes))[0].expected
        for processes in (1, 4)
    )
    assert one == DurationRange(12 * 60, 20 * 60)  # 45 matches
    assert four == DurationRange(3 * 60, 5 * 60)  # 12 after each other


@pytest.mark.django_db
def test_rounds_that_depend_on_earlier_ones_cannot_be_played_at_once() -> None:
    sample = [PlayedMatch(60, 60, 2, 60.0)] * 20
    plan = columns(format="knockout", matches_per_encounter="1")
    many = WorkerCapacity(processes=100)
    (found,) = forecasts(plan, [64], house_bots=0, sample=sample, capacity=many)
    assert found.expected == DurationRange(5 * 60, 8 * 60), "six rounds of a minute"


@pytest.mark.django_db
def test_time_limits_replace_an_estimate_without_data() -> None:
    plan = columns(openings="start", matches_per_encounter="1")
    (found,) = forecasts(plan, [2], house_bots=0, sample=[PlayedMatch(60, 60, 2, 1.0)] * 9, capacity=ALONE)
    assert found.expected is None
    assert found.permitted == DurationRange(0, 3600)


@pytest.mark.django_db
def test_large_table_takes_longer_than_a_small_one() -> None:
    sample = [PlayedMatch(100, 100, 5, 10.0)] * 20
    plan = {
        **columns(),
        "game": "golden_point",
        "format": "table",
        "matches_per_encounter": 1,
        "settings": {"numbers": 2, "rounds": 100},
    }
    at_one_table, at_tables_of_five = (
        [found.expected for found in forecasts(one, [10, 60], house_bots=0, sample=sample, capacity=ALONE)]
        for one in (plan, {**plan, "options": {"seats": 5}})
    )
    assert at_one_table == at_tables_of_five == [DurationRange(15, 30), DurationRange(90, 150)]


def finished(purpose: Purpose = Purpose.TOURNAMENT, **changes: Any) -> Match:
    """Create a match of 50 turns at half a second each, in which the bots took five seconds more."""
    match = factories.queued_match(purpose=purpose)
    Match.objects.filter(pk=match.pk).update(
        **{
            "status": "finished",
            "turns": 50,
            "limits": {"pace_seconds": 0.5},
            "fence": 1,
            "started_at": NOW,
            "finished_at": NOW + timedelta(seconds=30),
            **changes,
        }
    )
    return match


@pytest.mark.django_db
def test_sample_excludes_the_spectator_delay_but_not_thinking() -> None:
    assert recent_matches("reversi") == []
    match = finished()
    assert recent_matches("reversi") == [PlayedMatch(50, 60, 2, pytest.approx(5))]
    Seat.objects.filter(match=match).update(seconds=4)
    assert recent_matches("reversi") == [PlayedMatch(50, 60, 2, pytest.approx(8))]


@pytest.mark.django_db
def test_sample_contains_only_undisturbed_matches_of_tournaments_and_the_ladder() -> None:
    finished(fence=2)  # lost its worker and waited for another
    finished(status="running")
    finished(Purpose.SCRIMMAGE)
    finished(turns=0)
    assert recent_matches("reversi") == []
    finished(Purpose.LADDER)
    assert len(recent_matches("reversi")) == 1
    assert recent_matches("golden_point") == []


@pytest.mark.django_db
def test_sample_takes_one_query(django_assert_num_queries: Any) -> None:
    for _ in range(3):
        finished()
    with django_assert_num_queries(1):
        assert len(recent_matches("reversi")) == 3


@pytest.mark.parametrize(
    ("supply", "own", "others", "share"),
    [
        (4, 4, [], 4),
        (4, 4, [16, 16, 16], 1),
        (4, 4, [1, 1], 2),  # capacity that small ones do not use goes to larger ones
        (4, 1, [16], 1),
        (4, 4, [16] * 7, 0.5),
        (10, 10, [1, 3, 16], 3),
    ],
)
def test_workers_are_shared_by_max_min_fairness(supply: float, own: float, others: list[float], share: float) -> None:
    assert equal_share(supply, own, others) == pytest.approx(share)


def test_other_tournaments_and_too_few_workers_extend_forecast() -> None:
    assert WorkerCapacity(4).expected_concurrency(0) == 4
    assert WorkerCapacity(4).expected_concurrency(3) == 3
    assert WorkerCapacity(4, others=(16,)).expected_concurrency(0) == 2
    assert WorkerCapacity(4, others=(16,)).expected_concurrency(1) == 1
    assert WorkerCapacity(0).expected_concurrency(0) == 1


@pytest.mark.long
def test_only_running_tournaments_share_workers(stage: TournamentHarness) -> None:
    stage.start_tournament(3, parallel=2)
    stage.create_tournament()
    worker = Worker.objects.create(
        host="h", pid=1, concurrency=3, queues=["matches.reversi"], version="1", started_at=NOW, heartbeat_at=NOW
    )
    assert worker_capacity("reversi", shared=True, now=worker.heartbeat_at) == WorkerCapacity(3, (2,))
    assert worker_capacity("reversi", shared=False, now=worker.heartbeat_at) == WorkerCapacity(3)
    assert worker_capacity("golden_point", shared=True, now=worker.heartbeat_at) == WorkerCapacity(0, (2,))
