"""What the fleet tells of workers that have nothing better to do."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest

from arena.games.registry import GAMES
from arena.matches.models import Purpose
from arena.platform.workers.services import WorkerInfo
from arena.ratings import idle
from arena.submissions.models import Submission, SubmissionStatus
from arena.tournaments.rounds.claims import holds_back
from tests import factories
from tests.platform.workers.workers import NOW, info, worker
from tests.ratings.ladders import pool, tick

pytestmark = pytest.mark.django_db


def players() -> WorkerInfo:
    return replace(info(), queues=("matches.reversi", "ladder.reversi"), concurrency=2)


@pytest.fixture
def claims() -> Iterator[list[bool]]:
    """What an app above claims, a fake of it."""
    asked = [False]

    def claim(games: Collection[str]) -> bool:
        return asked[0]

    idle.register(claim)
    yield asked
    idle.unregister(claim)


def test_free_processes() -> None:
    assert idle.slack(NOW).free == {"reversi": 0, "golden_point": 0}
    worker(players())
    slack = idle.slack(NOW)
    assert (slack.free, slack.served, slack.is_idle) == ({"reversi": 2, "golden_point": 0}, {"reversi"}, True)
    pool(4)
    tick(slack)
    assert idle.slack(NOW).free["reversi"] == 0
    assert idle.slack(NOW).is_idle


def test_somebody_waits() -> None:
    worker(players())
    factories.queued_match(purpose=Purpose.TOURNAMENT)
    slack = idle.slack(NOW)
    assert (slack.is_waiting, slack.is_short, slack.is_idle) == (True, False, False)
    for _ in range(2):
        factories.queued_match(purpose=Purpose.TOURNAMENT)
    assert idle.slack(NOW).is_short


def test_a_waiting_check_or_scrimmage_counts() -> None:
    worker(players())
    worker(replace(info(), pid=7, queues=("checks.reversi", "scrimmages.reversi")))
    factories.submission(factories.bot(), SubmissionStatus.WAITING)
    assert idle.slack(NOW).is_waiting
    Submission.objects.update(status=SubmissionStatus.PASSED)
    factories.queued_match(purpose=Purpose.SCRIMMAGE)
    assert idle.slack(NOW).is_waiting


def test_an_app_above_may_claim_the_workers(claims: list[bool]) -> None:
    assert not idle.slack(NOW).is_claimed
    claims[0] = True
    assert not idle.slack(NOW).is_idle


def test_no_tournament_holds_anything_back() -> None:
    factories.queued_match(purpose=Purpose.TOURNAMENT)
    assert not holds_back(GAMES)


def test_what_no_worker_would_take_keeps_nobody_from_the_ladder() -> None:
    factories.queued_match(purpose=Purpose.TOURNAMENT)  # of Reversi
    other = replace(info(), queues=("matches.golden_point", "ladder.golden_point"), games=("golden_point",))
    worker(other)
    slack = idle.slack(NOW)
    assert (slack.is_waiting, slack.is_short, slack.is_idle) == (False, False, True)
    assert slack.free["golden_point"] > 0
    worker(replace(players(), pid=7))
    assert not idle.slack(NOW).is_idle, "now somebody takes it"
