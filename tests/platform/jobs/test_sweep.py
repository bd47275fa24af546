"""The sweep requeues or gives up on rows that dead workers left behind, and runs callbacks in the same transaction."""

from __future__ import annotations

import pytest
from django.utils import timezone

from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import LEASE, MAX_ATTEMPTS, claim
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.sweep import give_up, requeue_stalled
from arena.platform.supervisor.testing import ManualClock
from tests.factories import queued_match

NOW = timezone.now()
VOID = {"status": MatchStatus.VOID, "finished_at": NOW}


class CallbackError(Exception):
    pass


def fail(*of: object) -> None:
    """Raise an error; the tests register this as a callback of the sweep."""
    raise CallbackError


def detector_of_a_dead_worker(match: Match) -> StallDetector:
    assert claim(JOBS, match.pk, worker="dies", now=NOW) is not None
    clock = ManualClock()
    detector = StallDetector(JOBS, clock)
    for _ in range(2):
        assert detector.find_stalled_jobs() == []
        clock.advance(LEASE.total_seconds() / 2)
    return detector


@pytest.mark.django_db
def test_stalled_job_is_requeued_and_reported() -> None:
    match, requeued = queued_match(), []
    detector = detector_of_a_dead_worker(match)
    assert requeue_stalled(detector, lambda stalled: requeued.append((stalled.pk, stalled.fence))) == 1
    assert requeued == [(match.pk, 1)]
    assert Match.objects.get().status == MatchStatus.QUEUED
    assert requeue_stalled(detector) == 0


@pytest.mark.django_db
def test_exhausted_job_is_given_up_and_reported() -> None:
    used_up, other = queued_match(), queued_match()
    Match.objects.filter(pk=used_up.pk).update(attempts=MAX_ATTEMPTS, fence=MAX_ATTEMPTS)
    given_up: list[tuple[int, int]] = []

    def record_call(pk: int, fence: int) -> None:
        given_up.append((pk, fence))

    assert give_up(JOBS, VOID, record_call) == 1
    assert given_up == [(used_up.pk, MAX_ATTEMPTS)]
    assert give_up(JOBS, VOID, record_call) == 0, "once"
    assert {match.pk: match.status for match in Match.objects.all()} == {used_up.pk: "void", other.pk: "queued"}


@pytest.mark.django_db(transaction=True)
def test_failed_callback_rolls_back_the_sweep() -> None:
    match = queued_match()
    detector = detector_of_a_dead_worker(match)
    with pytest.raises(CallbackError):
        requeue_stalled(detector, fail)
    assert Match.objects.get().status == MatchStatus.RUNNING
    assert requeue_stalled(detector) == 1
    Match.objects.update(attempts=MAX_ATTEMPTS)
    with pytest.raises(CallbackError):
        give_up(JOBS, VOID, fail)
    assert Match.objects.get().status == MatchStatus.QUEUED
