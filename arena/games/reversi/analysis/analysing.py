"""Making one study on a worker, from the claim to the stored findings.

Invariants: every write names the lease's fence; a failure of ours gives the study back, a stop that was ordered does
so uncounted. What was found is stored as it comes, so that its readers see the curve grow; an attempt starts anew.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from django.utils import timezone

from arena.games.reversi.analysis.engine import Engine, EngineFailed, EngineStopped
from arena.games.reversi.analysis.models import Study, StudyStatus
from arena.games.reversi.analysis.queries import line_of_study
from arena.games.reversi.analysis.services import SHARED_QUEUE, fail_exhausted
from arena.games.reversi.judging import Finding
from arena.platform.jobs.fair_share import claim_next
from arena.platform.jobs.heartbeat import Heartbeat
from arena.platform.jobs.lifecycle import MAX_ATTEMPTS, Lease, held, release

logger = logging.getLogger(__name__)

# How often findings are stored while they come; late in a game they come by the dozen.
STORE_SECONDS: Final = 1.0


class _Stored:
    """The findings of one attempt, and when they were stored last by ``clock``."""

    def __init__(self, lease: Lease, clock: Callable[[], float]) -> None:
        self._lease, self._clock = lease, clock
        self._next = clock()
        self.findings: list[dict[str, object]] = []

    def add(self, finding: Finding) -> None:
        self.findings.append(finding.to_json())
        if self._clock() >= self._next:
            held(self._lease).update(findings=self.findings)
            self._next = self._clock() + STORE_SECONDS


def study(
    study_id: int,
    *,
    worker: str,
    engine: Engine,
    clock: Callable[[], float] = time.monotonic,
    stopping: Callable[[], bool] = lambda: False,
) -> bool:
    """Make the study whose turn it is for a worker that was woken for this one; False where nothing waits or nothing
    was stored.

    ``stopping`` turns true when the worker shuts down.
    """
    lease = claim_next(SHARED_QUEUE, worker=worker, now=timezone.now())
    if lease is None:
        fail_exhausted(now=timezone.now())
        return False
    row = Study.objects.get(pk=lease.pk)
    held(lease).update(started_at=timezone.now(), findings=[])
    stored = _Stored(lease, clock)
    try:
        with Heartbeat(lease) as heartbeat:
            engine(line_of_study(row), stored.add, lambda: heartbeat.lost or stopping())
    except EngineStopped:
        release(lease, counted=False)
        return False
    except EngineFailed as failure:
        logger.exception("study %s: the engine failed", lease.pk)
        _return(lease, failure)
        return False
    return _store(lease, stored.findings)


def _return(lease: Lease, failure: Exception) -> None:
    held(lease).update(failure=str(failure)[:500])
    release(lease, counted=True)
    if lease.attempt >= MAX_ATTEMPTS:
        fail_exhausted(now=timezone.now())


def _store(lease: Lease, findings: list[dict[str, object]]) -> bool:
    stored = held(lease).update(
        status=StudyStatus.DONE, findings=findings, finished_at=timezone.now(), lease_until=None, failure=""
    )
    if not stored:
        logger.info("study %s: findings under fence %s dropped", lease.pk, lease.fence)
    return bool(stored)
