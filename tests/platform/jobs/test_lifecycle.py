from datetime import timedelta

import pytest
from django.utils import timezone

from arena.core.messages import verbatim_message
from arena.matches.models import Match, MatchStatus
from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import (
    LEASE,
    MAX_ATTEMPTS,
    StalledJob,
    claim,
    exhausted_rows,
    extend,
    leased_row,
    release,
    requeue,
    store_result,
)
from tests.factories import queued_match

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def stalled_job(match: Match) -> StalledJob:
    match.refresh_from_db()
    return StalledJob(match.pk, match.fence, match.lease_until)


def test_only_one_worker_claims_a_waiting_row() -> None:
    match = queued_match()
    first = claim(JOBS, match.pk, worker="a", now=NOW)
    assert first is not None
    assert (first.fence, first.attempt) == (1, 1)
    assert claim(JOBS, match.pk, worker="b", now=NOW) is None
    match.refresh_from_db()
    assert (match.status, match.worker) == (MatchStatus.RUNNING, "a")


def test_reclaimed_row_goes_to_the_next_worker_and_fences_the_former() -> None:
    match = queued_match()
    former = claim(JOBS, match.pk, worker="a", now=NOW)
    later = NOW + LEASE + timedelta(seconds=1)
    assert requeue(JOBS, stalled_job(match))
    latter = claim(JOBS, match.pk, worker="b", now=later)
    assert former is not None
    assert latter is not None
    assert latter.fence == former.fence + 1
    assert not extend(former, now=later)
    assert leased_row(former).update(status=MatchStatus.FINISHED) == 0
    assert extend(latter, now=later)


@pytest.mark.parametrize("step", [timedelta(hours=1), timedelta(seconds=1), timedelta(hours=-1)])
def test_heartbeat_extends_the_lease_despite_clock_differences(step: timedelta) -> None:
    match = queued_match()
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    seen = stalled_job(match)
    assert extend(lease, now=NOW + step)
    assert not requeue(JOBS, seen)
    assert claim(JOBS, match.pk, worker="b", now=NOW + timedelta(hours=2)) is None
    assert leased_row(lease).exists()


def test_uncounted_releases_do_not_use_up_attempts() -> None:
    match = queued_match()
    for _ in range(MAX_ATTEMPTS + 2):
        lease = claim(JOBS, match.pk, worker="a", now=NOW)
        assert lease is not None
        assert release(lease, counted=False)
    for _ in range(MAX_ATTEMPTS):
        lease = claim(JOBS, match.pk, worker="a", now=NOW)
        assert lease is not None
        assert release(lease, counted=True)
    assert claim(JOBS, match.pk, worker="a", now=NOW) is None
    assert list(exhausted_rows(JOBS)) == [match]


def test_result_ends_the_lease_and_clears_an_earlier_failure() -> None:
    match = queued_match()
    failed = claim(JOBS, match.pk, worker="a", now=NOW)
    assert failed is not None
    assert release(failed, counted=True, failure=verbatim_message("a broken disk"))
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    assert store_result(lease, status=MatchStatus.FINISHED, turns=7)
    match.refresh_from_db()
    assert (match.status, match.turns, match.lease_until, match.failure) == (MatchStatus.FINISHED, 7, None, None)
    assert not store_result(lease, turns=8), "there is no lease any more"


def test_result_without_a_lease_changes_nothing() -> None:
    match = queued_match()
    former = claim(JOBS, match.pk, worker="a", now=NOW)
    assert former is not None
    assert requeue(JOBS, stalled_job(match))
    assert claim(JOBS, match.pk, worker="b", now=NOW) is not None
    assert not store_result(former, status=MatchStatus.FINISHED, turns=7)
    match.refresh_from_db()
    assert (match.status, match.turns, match.worker) == (MatchStatus.RUNNING, 0, "b")
    assert match.lease_until is not None


def test_result_can_be_a_failure() -> None:
    match, reason = queued_match(), verbatim_message("no memory").to_json("message")
    lease = claim(JOBS, match.pk, worker="a", now=NOW)
    assert lease is not None
    assert store_result(lease, status=MatchStatus.VOID, failure=reason)
    match.refresh_from_db()
    assert match.failure == reason
