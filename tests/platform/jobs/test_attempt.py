"""The way a job attempt ends decides whether it counts; a woken worker keeps claiming quick jobs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import OperationalError
from django.utils import timezone

from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs import attempt
from arena.platform.jobs.attempt import BURST_SECONDS, Endings, JobStopped, Postponed, burst
from arena.platform.jobs.lifecycle import Lease, claim, held
from arena.platform.supervisor.testing import ManualClock
from tests.factories import queued_match

pytestmark = pytest.mark.django_db


class BrokenEngineError(Exception):
    """A failure that is declared in the job kind's ``Endings``."""


ENDINGS = Endings(failures=(BrokenEngineError,))


def claimed() -> Lease:
    lease = claim(JOBS, queued_match().pk, worker="a", now=timezone.now())
    assert lease is not None
    return lease


def finish(lease: Lease, stop: Callable[[], bool]) -> bool:
    assert not stop()
    return bool(held(lease).update(status=MatchStatus.FINISHED))


def raising(error: Exception, stop: Callable[[], bool]) -> bool:
    raise error


def test_work_that_stores_a_result_is_done() -> None:
    lease = claimed()
    assert attempt.attempt(lease, partial(finish, lease), ENDINGS)
    assert Match.objects.get().status == MatchStatus.FINISHED


@pytest.mark.parametrize(
    ("error", "attempts", "failure"),
    [
        (JobStopped(), 0, ""),
        (Postponed("the disk is full"), 0, ""),
        (BrokenEngineError("exit code 1"), 1, "BrokenEngineError: exit code 1"),
    ],
)
def test_only_a_failure_of_the_arena_counts(error: Exception, attempts: int, failure: str) -> None:
    lease, told = claimed(), []
    endings = Endings(failures=(BrokenEngineError,), released=lambda released: told.append(released.pk))
    assert not attempt.attempt(lease, partial(raising, error), endings)
    match = Match.objects.get()
    assert (match.status, match.attempts, match.worker, match.failure) == (MatchStatus.QUEUED, attempts, "", failure)
    assert told == [match.pk]


def test_a_mistake_in_the_arena_counts_and_is_raised() -> None:
    lease = claimed()
    with pytest.raises(KeyError):
        attempt.attempt(lease, partial(raising, KeyError("seat")), ENDINGS)
    match = Match.objects.get()
    assert (match.status, match.attempts, match.failure) == (MatchStatus.QUEUED, 1, "KeyError: 'seat'")


def test_a_job_waits_for_the_sweep_while_the_database_is_away() -> None:
    lease = claimed()
    with pytest.raises(OperationalError):
        attempt.attempt(lease, partial(raising, OperationalError("gone")), ENDINGS)
    assert Match.objects.get().status == MatchStatus.RUNNING


def test_a_job_of_another_worker_is_left_alone() -> None:
    lease, told = claimed(), []
    Match.objects.update(fence=7, worker="b")
    endings = Endings(failures=(BrokenEngineError,), reason=lambda lease, error: str(told.append(lease.pk)))
    assert not attempt.attempt(lease, partial(raising, BrokenEngineError("late")), endings)
    match = Match.objects.get()
    assert (match.status, match.worker, match.failure, told) == (MatchStatus.RUNNING, "b", "", [])


def test_the_work_is_told_when_to_stop() -> None:
    lease, asked = claimed(), []

    def work(stop: Callable[[], bool]) -> bool:
        asked.append(stop())
        raise JobStopped

    assert not attempt.attempt(lease, work, ENDINGS, stopping=lambda: True)
    assert asked == [True]


def waiting(count: int) -> Callable[[], Lease | None]:
    leases = [Lease(JOBS, pk, 1, 1) for pk in range(count)]
    return lambda: leases.pop(0) if leases else None


def test_a_wake_up_is_worth_as_many_quick_jobs_as_fit_into_a_moment() -> None:
    clock, done = ManualClock(), []

    def work(lease: Lease) -> bool:
        done.append(lease.pk)
        clock.advance(BURST_SECONDS / 4)
        return True

    last = burst(waiting(100), work, clock=clock)
    assert done == [0, 1, 2, 3]
    assert last is not None
    assert last.pk == 3


def test_a_long_job_is_the_only_one() -> None:
    clock, claim_next = ManualClock(), waiting(2)
    assert burst(claim_next, lambda lease: clock.advance(60.0) is None, clock=clock) is not None
    assert claim_next() is not None, "the other one waits for its own wake-up"


def test_what_failed_one_job_does_not_use_up_the_attempts_of_others() -> None:
    claim_next = waiting(2)
    burst(claim_next, lambda lease: False, clock=ManualClock())
    assert claim_next() is not None


def test_nothing_is_done_where_nothing_waits() -> None:
    assert burst(waiting(0), lambda lease: pytest.fail("nothing waits"), clock=ManualClock()) is None
