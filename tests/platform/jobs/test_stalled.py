"""Dead workers are detected by watching heartbeats, not by comparing clocks.

Clocks of two machines may differ, and one clock may be stepped.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.matches.services import JOBS
from arena.platform.jobs.lifecycle import HEARTBEAT_SECONDS, LEASE, Lease, claim, extend
from arena.platform.jobs.stalled import StallDetector
from arena.platform.supervisor.testing import ManualClock
from tests.factories import queued_match

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LOOK = LEASE.total_seconds() / 4


def claim_match() -> Lease:
    lease = claim(JOBS, queued_match().pk, worker="a", now=NOW)
    assert lease is not None
    return lease


def stalled_after(detector: StallDetector, clock: ManualClock, seconds: float) -> list[int]:
    """Return the rows reported as stalled after ``seconds`` of polling at the sweep's interval."""
    end = clock.now + seconds
    while clock.now < end:
        clock.advance(min(LOOK, end - clock.now))
        found = [row.pk for row in detector.find_stalled_jobs()]
    return found


def test_worker_is_dead_after_a_lease_without_a_heartbeat() -> None:
    lease, clock = claim_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    assert detector.find_stalled_jobs() == []
    assert stalled_after(detector, clock, LEASE.total_seconds() - 1) == []
    assert stalled_after(detector, clock, 1) == [lease.pk]


@pytest.mark.parametrize("step", [timedelta(0), timedelta(hours=1), timedelta(hours=-1)], ids=str)
def test_worker_with_heartbeats_is_alive_whatever_its_clock_says(step: timedelta) -> None:
    lease, clock = claim_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    for beat in range(20):
        assert extend(lease, now=NOW + step * (beat % 2) + timedelta(seconds=beat * HEARTBEAT_SECONDS))
        assert stalled_after(detector, clock, LEASE.total_seconds() / 2) == []


def test_death_after_a_clock_jump_is_detected_in_the_usual_time() -> None:
    lease, clock = claim_match(), ManualClock()
    assert extend(lease, now=NOW + timedelta(hours=1))
    detector = StallDetector(JOBS, clock)
    assert detector.find_stalled_jobs() == []
    assert stalled_after(detector, clock, LEASE.total_seconds()) == [lease.pk]


def test_new_holder_is_not_mistaken_for_the_former() -> None:
    lease, clock = claim_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    detector.find_stalled_jobs()
    assert stalled_after(detector, clock, LEASE.total_seconds() - 1) == []
    JOBS.rows().filter(pk=lease.pk).update(fence=lease.fence + 1)
    assert stalled_after(detector, clock, LEASE.total_seconds() - 1) == []


def test_workers_are_not_declared_dead_after_a_detector_pause() -> None:
    """During a database outage, workers cannot store heartbeats, so they get time to send one afterwards."""
    lease, clock = claim_match(), ManualClock()
    detector = StallDetector(JOBS, clock)
    detector.find_stalled_jobs()
    clock.advance(10 * LEASE.total_seconds())
    assert detector.find_stalled_jobs() == []
    assert stalled_after(detector, clock, LEASE.total_seconds() / 2) == [lease.pk]
