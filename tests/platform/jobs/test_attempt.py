"""The way a job attempt ends decides whether it counts; a woken worker keeps claiming quick jobs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import OperationalError
from django.utils import timezone

from arena.core.messages import verbatim_message
from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs import attempt
from arena.platform.jobs.attempt import BATCH_SECONDS, Endings, JobPostponed, JobStopped, run_batch
from arena.platform.jobs.lifecycle import Lease, claim, leased_row
from arena.platform.supervisor.testing import ManualClock
from tests.factories import queued_match

pytestmark = pytest.mark.django_db


class BrokenEngineError(Exception):
    """A failure that is declared in the job kind's ``Endings``."""


ENDINGS = Endings(failures=(BrokenEngineError,))


def claim_match() -> Lease:
    lease = claim(JOBS, queued_match().pk, worker="a", now=timezone.now())
    assert lease is not None
    return lease


def finish(lease: Lease, stop: Callable[[], bool]) -> bool:
    assert not stop()
    return bool(leased_row(lease).update(status=MatchStatus.FINISHED))


def raise_error(error: Exception, stop: Callable[[], bool]) -> bool:
    raise error


def test_work_that_stores_a_result_is_done() -> None:
    lease = claim_match()
    assert attempt.run_attempt(lease, partial(finish, lease), ENDINGS)
    assert Match.objects.get().status == MatchStatus.FINISHED


@pytest.mark.parametrize(
    ("error", "attempts", "failure"),
    [
        (JobStopped(), 0, ""),
        (JobPostponed("the disk is full"), 0, "JobPostponed: the disk is full"),
        (BrokenEngineError("exit code 1"), 1, "BrokenEngineError: exit code 1"),
    ],
)
def test_only_arena_failures_count_as_attempts(error: Exception, attempts: int, failure: str) -> None:
    lease, ended = claim_match(), []
    work = partial(raise_error, error)
    assert not attempt.run_attempt(lease, work, ENDINGS, then=lambda released: ended.append(released.pk))
    match = Match.objects.get()
    assert (match.status, match.attempts, match.worker, match.failure_text) == (
        MatchStatus.QUEUED,
        attempts,
        "",
        failure,
    )
    assert ended == [match.pk]


def test_arena_bug_counts_as_an_attempt_and_is_raised() -> None:
    lease = claim_match()
    with pytest.raises(KeyError):
        attempt.run_attempt(lease, partial(raise_error, KeyError("seat")), ENDINGS)
    match = Match.objects.get()
    assert (match.status, match.attempts, match.failure_text) == (MatchStatus.QUEUED, 1, "KeyError: 'seat'")


def test_job_waits_for_the_sweep_during_a_database_outage() -> None:
    lease = claim_match()
    with pytest.raises(OperationalError):
        attempt.run_attempt(lease, partial(raise_error, OperationalError("gone")), ENDINGS)
    assert Match.objects.get().status == MatchStatus.RUNNING


def test_job_of_another_worker_is_left_alone() -> None:
    lease, explained = claim_match(), []
    Match.objects.update(fence=7, worker="b")
    endings = Endings(
        failures=(BrokenEngineError,), reason=lambda lease, error: verbatim_message(str(explained.append(lease.pk)))
    )
    assert not attempt.run_attempt(lease, partial(raise_error, BrokenEngineError("late")), endings)
    match = Match.objects.get()
    assert (match.status, match.worker, match.failure, explained) == (MatchStatus.RUNNING, "b", None, [])


def test_job_receives_the_stop_signal() -> None:
    lease, stop_signals = claim_match(), []

    def work(stop: Callable[[], bool]) -> bool:
        stop_signals.append(stop())
        raise JobStopped

    assert not attempt.run_attempt(lease, work, ENDINGS, stopping=lambda: True)
    assert stop_signals == [True]


def queue_matches(count: int) -> Callable[[], Lease | None]:
    leases = [Lease(JOBS, pk, 1, 1) for pk in range(count)]
    return lambda: leases.pop(0) if leases else None


def test_wake_up_runs_several_quick_jobs() -> None:
    clock, done = ManualClock(), []

    def work(lease: Lease) -> bool:
        done.append(lease.pk)
        clock.advance(BATCH_SECONDS / 4)
        return True

    last = run_batch(queue_matches(100), work, clock=clock)
    assert done == [0, 1, 2, 3]
    assert last is not None
    assert last.pk == 3


def test_wake_up_runs_a_single_long_job() -> None:
    clock, claim_next = ManualClock(), queue_matches(2)
    assert run_batch(claim_next, lambda lease: clock.advance(60.0) is None, clock=clock) is not None
    assert claim_next() is not None, "the other one waits for its own wake-up"


def test_failing_job_does_not_use_up_attempts_of_others() -> None:
    claim_next = queue_matches(2)
    run_batch(claim_next, lambda lease: False, clock=ManualClock())
    assert claim_next() is not None


def test_empty_queue_does_nothing() -> None:
    assert run_batch(queue_matches(0), lambda lease: pytest.fail("nothing waits"), clock=ManualClock()) is None
