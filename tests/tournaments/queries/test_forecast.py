"""Forecasts of a tournament's duration: the number of matches comes from the format, their length from measurements."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arena.matches.models import Match
from arena.platform.workers.models import Worker
from arena.tournaments.queries.forecast import (
    MatchPace,
    WorkerCapacity,
    equal_share,
    forecasts,
    match_pace,
    match_seconds,
    worker_capacity,
)
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
    (found,) = forecasts(columns(**changes), [10], house_bots=3, tempo=MatchPace(), capacity=ALONE)
    assert found.matches == matches
    assert found.duration > timedelta()


def test_pace_only_delays_faster_matches() -> None:
    tempo = MatchPace(share=0.5, turn_seconds=0.2, matches=10)
    assert match_seconds(tempo, 60, 0, 2) == pytest.approx(6)
    assert match_seconds(tempo, 60, 1, 2) == pytest.approx(30)


@pytest.mark.django_db
def test_unknown_bots_make_the_forecast_a_range() -> None:
    fast = MatchPace(turn_seconds=0.01, matches=10)
    plan = columns(openings="start", matches_per_encounter="1")
    (unknown,) = forecasts(plan, [10], house_bots=3, tempo=fast, capacity=ALONE)
    assert unknown.duration.total_seconds() == pytest.approx(45 * 60 * 0.01)
    assert unknown.longest
    assert unknown.longest.total_seconds() == pytest.approx(45 * 60 * 0.25)
    (known,) = forecasts(plan, [10], house_bots=10, tempo=fast, capacity=ALONE)
    assert known.longest is None
    (slow,) = forecasts(plan, [10], house_bots=3, tempo=MatchPace(turn_seconds=0.2, matches=10), capacity=ALONE)
    assert slow.longest is None, "recent matches were about as slow"
    limited = {**plan, "limits": {**plan["limits"], "move_seconds": 0.1}}
    (quick,) = forecasts(limited, [10], house_bots=3, tempo=fast, capacity=ALONE)
    assert quick.longest
    assert quick.longest.total_seconds() == pytest.approx(45 * 60 * 0.1)


@pytest.mark.django_db
def test_large_table_takes_longer_than_a_small_one() -> None:
    tempo = MatchPace(turn_seconds=0.1, seats=5, matches=10)
    plan = {
        **columns(),
        "game": "golden_point",
        "format": "table",
        "matches_per_encounter": 1,
        "settings": {"numbers": 2, "rounds": 100},
    }
    assert [
        [
            found.duration.total_seconds()
            for found in forecasts(one, [10, 60], house_bots=0, tempo=tempo, capacity=ALONE)
        ]
        for one in (plan, {**plan, "options": {"seats": 5}})
    ] == [[pytest.approx(20), pytest.approx(120)], [pytest.approx(20), pytest.approx(120)]]


@pytest.mark.long
def test_measured_duration_excludes_pace(stage: TournamentHarness) -> None:
    assert match_pace("reversi").matches == 0
    tournament = stage.start_tournament(2)
    match = stage.matches(tournament)[0]
    Match.objects.filter(pk=match.pk).update(
        status="finished",
        turns=50,
        limits={"pace_seconds": 0.5},
        started_at=NOW,
        finished_at=NOW + timedelta(seconds=30),
    )
    found = match_pace("reversi")
    assert (found.matches, found.seats) == (1, 2)
    assert found.turn_seconds == pytest.approx(0.1)
    assert 0 < found.share <= 1


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
