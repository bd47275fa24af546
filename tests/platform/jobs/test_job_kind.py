"""Viewers of a job are notified once, after the commit, that an attempt was cancelled, requeued or voided."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS, UNFINISHED
from arena.platform.jobs.announcer import AttemptEnd
from arena.platform.jobs.attempt import JobStopped
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, Lease, claim, leased_row, store_result
from arena.platform.jobs.stalled import StallDetector
from arena.platform.supervisor.testing import ManualClock
from tests.factories import queued_match

pytestmark = pytest.mark.django_db
NOW = timezone.now()


class Viewers:
    """The viewers of a job, who record the announcements that they receive."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int, AttemptEnd]] = []

    def publish(self, pk: int, fence: int, end: AttemptEnd) -> None:
        self.sent.append((pk, fence, end))


@pytest.fixture
def viewers() -> Viewers:
    return Viewers()


@pytest.fixture
def kind(viewers: Viewers) -> JobKind:
    return JobKind(JOBS, lambda pks: [], lambda now: {"status": MatchStatus.VOID}, publish=viewers.publish)


def claim_match(match: Match) -> Lease:
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    return lease


def raise_error(error: Exception, stop: Callable[[], bool]) -> bool:
    raise error


def test_cancelled_rows_get_a_new_fence_and_are_announced_after_the_commit(
    kind: JobKind, viewers: Viewers, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    waiting, running, over = (queued_match() for _ in range(3))
    lease = claim_match(running)
    Match.objects.filter(pk=over.pk).update(status=MatchStatus.FINISHED)
    with django_capture_on_commit_callbacks(execute=True):
        pks = [waiting.pk, running.pk, over.pk]
        assert kind.cancel(pks, UNFINISHED, status=MatchStatus.CANCELLED, finished_at=NOW) == 2
        assert viewers.sent == []
    assert sorted(viewers.sent) == [
        (waiting.pk, 1, AttemptEnd.CANCELLED),
        (running.pk, lease.fence + 1, AttemptEnd.CANCELLED),
    ]
    assert not leased_row(lease).exists()
    assert list(Match.objects.order_by("pk").values_list("status", "fence", "lease_until", "finished_at")) == [
        (MatchStatus.CANCELLED, 1, None, NOW),
        (MatchStatus.CANCELLED, 2, None, NOW),
        (MatchStatus.FINISHED, 0, None, None),
    ]


def test_only_rows_that_are_really_cancelled_are_announced(
    kind: JobKind, viewers: Viewers, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """On PostgreSQL, workers can claim rows and store results between the queries of the cancellation."""
    ending, waiting = queued_match(), queued_match()
    lease = claim_match(ending)
    acts: list[Callable[[], object]] = [
        lambda: store_result(lease, status=MatchStatus.FINISHED),
        lambda: claim_match(waiting),
    ]
    workers = iter(acts)

    def let_workers_act(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE"):
            for act in workers:
                act()
        return execute(sql, *rest)

    with django_capture_on_commit_callbacks(execute=True), connection.execute_wrapper(let_workers_act):
        assert kind.cancel([ending.pk, waiting.pk], UNFINISHED, status=MatchStatus.CANCELLED, finished_at=NOW) == 1
    assert viewers.sent == [(waiting.pk, 2, AttemptEnd.CANCELLED)]
    assert Match.objects.get(pk=ending.pk).status == MatchStatus.FINISHED


def test_released_and_stalled_attempts_are_announced_as_requeued(
    kind: JobKind, viewers: Viewers, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    match, clock = queued_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    with django_capture_on_commit_callbacks(execute=True):
        kind.run_job(claim_match(match), partial(raise_error, JobStopped()))
        claim_match(match)
        for _ in range(3):
            kind.sweep(detector, now=NOW)
            clock.advance(LEASE.total_seconds() / 2)
    assert viewers.sent == [(match.pk, 1, AttemptEnd.REQUEUED), (match.pk, 2, AttemptEnd.REQUEUED)]


def test_last_attempt_is_announced_once_as_void(
    kind: JobKind, viewers: Viewers, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    match = queued_match()
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(KeyError):
                kind.run_job(claim_match(match), partial(raise_error, KeyError("seat")))
        kind.sweep(StallDetector(JOBS, ManualClock()), now=NOW)
    assert viewers.sent == [
        *((match.pk, fence, AttemptEnd.REQUEUED) for fence in range(1, MAX_ATTEMPTS)),
        (match.pk, MAX_ATTEMPTS, AttemptEnd.VOID),
    ]


def test_kind_without_viewers_announces_nothing(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    silent = JobKind(JOBS, lambda pks: [], lambda now: {"status": MatchStatus.VOID})
    cancelled, released = queued_match(), queued_match()
    with django_capture_on_commit_callbacks() as announced:
        silent.cancel([cancelled.pk], UNFINISHED, status=MatchStatus.CANCELLED)
        silent.run_job(claim_match(released), partial(raise_error, JobStopped()))
    assert announced == []
