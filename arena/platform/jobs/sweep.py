"""Requeue stalled jobs, and give up on jobs that have used up their attempts.

Invariant: every UPDATE is conditional on the state in which the row was found, so two simultaneous sweeps never
change the same row; subscribers are notified in the transaction of the change.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction

from arena.platform.jobs.lifecycle import JobQueue, StalledJob, exhausted_rows, requeue
from arena.platform.jobs.stalled import StallDetector

logger = logging.getLogger(__name__)

_MAX_JOBS_PER_SWEEP: Final = 200


def requeue_stalled(detector: StallDetector, then: Callable[[StalledJob], None] = lambda stalled: None) -> int:
    """Requeue rows whose workers died; return how many. ``then`` is called for each."""
    taken = 0
    for stalled in detector.find_stalled_jobs():
        with transaction.atomic():
            if requeue(detector.jobs, stalled):
                logger.warning("%s %s lost its worker", detector.jobs.noun, stalled.pk)
                then(stalled)
                taken += 1
    return taken


def give_up(
    jobs: JobQueue, changes: Mapping[str, Any], then: Callable[[int, int], None] = lambda pk, fence: None
) -> int:
    """Apply ``changes`` to rows that have used up their attempts; return how many.

    ``then`` is called with each row's key and the fence of its last attempt.
    """
    given_up = 0
    for pk, fence in list(exhausted_rows(jobs).values_list("pk", "fence")[:_MAX_JOBS_PER_SWEEP]):
        with transaction.atomic():
            if exhausted_rows(jobs).filter(pk=pk, fence=fence).update(**changes):
                logger.error("%s %s was abandoned after its last attempt", jobs.noun, pk)
                then(pk, fence)
                given_up += 1
    return given_up
