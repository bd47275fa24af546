"""Spare capacity: which workers are idle and free for background work."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest

from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus, Purpose
from arena.platform.workers.models import Worker
from arena.platform.workers.services import WorkerInfo
from arena.ratings import spare_capacity
from arena.submissions.models import Submission, SubmissionStatus
from tests import factories
from tests.platform.workers.workers import NOW, info, worker
from tests.ratings.ladders import pool, tick

pytestmark = pytest.mark.django_db


def players() -> WorkerInfo:
    return replace(info(), queues=("matches.reversi", "ladder.reversi"), concurrency=2)


@pytest.fixture
def claims() -> Iterator[list[bool]]:
    """Register a fake claim on workers; yield a one-item list that turns the claim on and off."""
    claiming = [False]

    def claim(games: Collection[str]) -> bool:
        return claiming[0]

    spare_capacity.register(claim)
    yield claiming
    spare_capacity.unregister(claim)


def test_free_processes_are_counted_by_game() -> None:
    assert spare_capacity.measure_spare_capacity(NOW).free == dict.fromkeys(GAMES, 0)
    worker(players())
    spare = spare_capacity.measure_spare_capacity(NOW)
    assert (spare.free, spare.served, spare.is_idle) == ({**dict.fromkeys(GAMES, 0), "reversi": 2}, {"reversi"}, True)
    pool(4)
    tick(spare)
    assert spare_capacity.measure_spare_capacity(NOW).free["reversi"] == 0
    assert spare_capacity.measure_spare_capacity(NOW).is_idle


def test_waiting_matches_are_measured_against_free_workers() -> None:
    worker(players())
    factories.queued_match(purpose=Purpose.TOURNAMENT)
    spare = spare_capacity.measure_spare_capacity(NOW)
    assert (spare.is_waiting, spare.is_short, spare.is_idle) == (True, False, False)
    for _ in range(2):
        factories.queued_match(purpose=Purpose.TOURNAMENT)
    assert spare_capacity.measure_spare_capacity(NOW).is_short


def test_waiting_checks_and_scrimmages_count() -> None:
    worker(players())
    worker(replace(info(), pid=7, queues=("checks.reversi", "scrimmages.reversi")))
    factories.submission(factories.bot(), SubmissionStatus.WAITING)
    assert spare_capacity.measure_spare_capacity(NOW).is_waiting
    Submission.objects.update(status=SubmissionStatus.PASSED)
    factories.queued_match(purpose=Purpose.SCRIMMAGE)
    assert spare_capacity.measure_spare_capacity(NOW).is_waiting


def test_higher_level_app_can_claim_the_workers(claims: list[bool]) -> None:
    assert not spare_capacity.measure_spare_capacity(NOW).is_claimed
    claims[0] = True
    assert not spare_capacity.measure_spare_capacity(NOW).is_idle


def _play(purpose: Purpose, by: Worker) -> None:
    match = factories.queued_match(purpose=purpose)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING, worker=f"{by}:7")


def test_scrimmages_waiting_for_the_same_person_leave_workers_idle() -> None:
    worker(players())
    scrimmages = worker(replace(info(concurrency=2), pid=7, queues=("scrimmages.reversi",)))
    _play(Purpose.SCRIMMAGE, scrimmages)
    for _ in range(4):
        factories.queued_match(purpose=Purpose.SCRIMMAGE)
    Match.objects.update(party="user:1")
    spare = spare_capacity.measure_spare_capacity(NOW)
    assert (spare.is_waiting, spare.is_short, spare.is_idle) == (False, False, True)

    Match.objects.filter(pk=factories.queued_match(purpose=Purpose.SCRIMMAGE).pk).update(party="user:2")
    assert spare_capacity.measure_spare_capacity(NOW).is_waiting


def test_matches_without_suitable_worker_do_not_block_the_ladder() -> None:
    factories.queued_match(purpose=Purpose.TOURNAMENT)  # a Reversi match
    other = replace(info(), queues=("matches.golden_point", "ladder.golden_point"), games=("golden_point",))
    worker(other)
    spare = spare_capacity.measure_spare_capacity(NOW)
    assert (spare.is_waiting, spare.is_short, spare.is_idle) == (False, False, True)
    assert spare.free["golden_point"] > 0
    worker(replace(players(), pid=7))
    assert not spare_capacity.measure_spare_capacity(NOW).is_idle, "now somebody takes it"
