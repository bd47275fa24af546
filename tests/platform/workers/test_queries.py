from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from arena.celery import Queue
from arena.matches.models import Match, MatchStatus, Purpose
from arena.matches.queries import match_names
from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import claim
from arena.platform.workers import queries, services
from arena.platform.workers.models import Worker
from arena.platform.workers.queries import QueueRow, ServiceLevel, WorkerState
from arena.platform.workers.services import OFFLINE_AFTER
from arena.submissions.models import SubmissionStatus
from tests import factories
from tests.platform.workers.workers import NOW, info, status, worker

pytestmark = pytest.mark.django_db
ACTIVE = Purpose.TOURNAMENT


def line(kind: Queue = Queue.MATCHES, game: str = "reversi") -> QueueRow:
    """Return the row of this kind and game in the overview of queues."""
    (found,) = [line for line in queries.overview(now=NOW).queues if (line.kind, line.game) == (kind, game)]
    return found


def play(match: Match, process: str) -> None:
    """Let this pool process claim the match, as if it were playing it."""
    assert claim(JOBS, match.pk, worker=process, now=NOW) is not None


def finish(seconds: float, *, ago: timedelta = timedelta(minutes=1)) -> None:
    """Create a match that took ``seconds`` and finished some time ago."""
    match = factories.queued_match(purpose=ACTIVE)
    ended = NOW - ago
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.FINISHED, started_at=ended - timedelta(seconds=seconds), finished_at=ended
    )


def test_overview_shows_the_state_of_each_worker() -> None:
    worker(info(pid=1))
    worker(info(pid=2), sandbox=status(present=False))
    worker(info(pid=3))
    services.request_drain(["alpha:3"], now=NOW)
    worker(info(pid=4), now=NOW - OFFLINE_AFTER * 2)
    services.register_worker(info(pid=5), now=NOW)
    Worker.objects.filter(pk=worker(info(pid=6)).pk).update(queues=["control"], sandbox=None)
    states = [found.state for found in queries.worker_rows(now=NOW)]
    assert states == [
        WorkerState.READY,
        WorkerState.REFUSES,
        WorkerState.DRAINING,
        WorkerState.OFFLINE,
        WorkerState.TESTING,
        WorkerState.READY,
    ]


def test_worker_shows_only_matches_of_its_own_pool() -> None:
    worker(info(pid=10))
    worker(info(pid=101))
    mine, other, orphan = (factories.queued_match(purpose=ACTIVE) for _ in range(3))
    play(mine, "alpha:10:11")
    play(other, "alpha:101:11")
    play(orphan, "beta:1:2")
    first, second = queries.overview(now=NOW).workers
    names = match_names([mine.pk, other.pk])
    assert [(one.what, one.url) for one in first.playing] == [(names[mine.pk], f"/matches/{mine.pk}/")]
    assert [one.what for one in second.playing] == [names[other.pk]]


def test_check_is_shown_without_a_link() -> None:
    worker(info(pid=10))
    submission = factories.submission(factories.bot(), SubmissionStatus.WAITING)
    type(submission).objects.filter(pk=submission.pk).update(
        status=SubmissionStatus.CHECKING, worker="alpha:10:12", lease_until=NOW + timedelta(seconds=9)
    )
    ((shown,),) = [found.playing for found in queries.overview(now=NOW).workers]
    assert (shown.kind, shown.game, shown.url) == (Queue.CHECKS, "reversi", "")


@pytest.mark.long
def test_queue_shows_its_length_throughput_and_wait() -> None:
    worker(info(pid=10, concurrency=2))
    for _ in range(4):
        factories.queued_match(purpose=ACTIVE)
    playing = Match.objects.order_by("pk")[:2]
    play(playing[0], "alpha:10:11")
    play(playing[1], "alpha:10:12")
    for _ in range(10):
        finish(6.0)
    finish(600.0, ago=timedelta(minutes=30))  # too long ago to count
    found = line()
    assert (found.service, found.processes, found.playing, found.waiting) == (ServiceLevel.SERVED, 2, 2, 2)
    assert found.per_minute == 2.0
    assert found.wait_seconds == pytest.approx(9.0)  # third in line; one of the two processes becomes free every 3 s


def test_checks_and_scrimmages_have_separate_queues() -> None:
    for _ in range(3):
        factories.queued_match()
    factories.submission(factories.bot(), SubmissionStatus.WAITING)
    assert line(Queue.CHECKS).waiting == 1
    assert line(Queue.SCRIMMAGES).waiting == 3
    assert line(Queue.MATCHES).waiting == 0
    assert line(Queue.SCRIMMAGES, "golden_point").waiting == 0


@pytest.mark.parametrize(
    ("games", "usable", "drained", "expected"),
    [
        (("reversi", "golden_point"), True, False, ServiceLevel.SERVED),
        (("golden_point",), True, False, ServiceLevel.OTHER_GAMES),
        (("reversi",), False, False, ServiceLevel.REFUSED),
        (("reversi",), True, True, ServiceLevel.DRAINING),
    ],
)
def test_service_state_depends_on_the_workers_of_the_game(
    games: tuple[str, ...], usable: bool, drained: bool, expected: ServiceLevel
) -> None:
    worker(info(games=games), sandbox=status(present=usable))
    if drained:
        services.request_drain([], now=NOW)
    assert queries.service_for_game(Queue.MATCHES, "reversi", now=NOW) is expected
    assert queries.service_for_game(Queue.MATCHES, "reversi", now=NOW + OFFLINE_AFTER * 2) is ServiceLevel.NO_WORKER


def test_one_usable_worker_is_enough() -> None:
    worker(info(pid=1), sandbox=status(present=False))
    worker(info(pid=2))
    assert queries.service_for_game(Queue.MATCHES, "reversi", now=NOW) is ServiceLevel.SERVED


def test_sweep_only_worker_plays_no_matches() -> None:
    Worker.objects.filter(pk=worker().pk).update(queues=["control"])
    assert queries.service_for_game(Queue.MATCHES, "reversi", now=NOW) is ServiceLevel.NO_WORKER
    assert line().wait_seconds is None


def test_incompatible_sandbox_report_is_not_shown() -> None:
    Worker.objects.filter(pk=worker().pk).update(sandbox={"mode": "of tomorrow"})
    (found,) = queries.worker_rows(now=NOW)
    assert (found.sandbox, found.state) == (None, WorkerState.READY)


@pytest.mark.long
def test_large_fleet_needs_no_more_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for pid in range(20):
        worker(info(pid=pid))
        play(factories.queued_match(purpose=ACTIVE), f"alpha:{pid}:1000")
    with django_assert_num_queries(21):
        assert len(queries.overview(now=NOW).workers) == 20
