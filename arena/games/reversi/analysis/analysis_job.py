"""Run one analysis on a worker, from the claim to the stored findings.

Invariants: every write is made under the lease's fencing token; a failure of the arena releases the analysis, and an
orderly shutdown does so without counting an attempt. Findings are stored as they arrive, so that the curve on the page
grows; each attempt starts from scratch.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone

from arena.games.reversi.analysis import automatic
from arena.games.reversi.analysis.automatic import preemptible_stop
from arena.games.reversi.analysis.engine import Engine
from arena.games.reversi.analysis.models import AnalysisStatus
from arena.games.reversi.analysis.queries import line_of_analysis
from arena.games.reversi.analysis.services import ANALYSES, SHARED_QUEUE
from arena.games.reversi.move_grades import EngineFinding
from arena.platform.jobs.lifecycle import Lease, leased_row, store_result

logger = logging.getLogger(__name__)

# Interval at which findings are stored; late in a match they arrive by the dozen.
STORE_SECONDS: Final = 1.0


class _FindingsStore:
    """A store for the findings of one attempt; it saves them every ``STORE_SECONDS``, as measured by ``clock``."""

    def __init__(self, lease: Lease, clock: Callable[[], float]) -> None:
        self._lease, self._clock = lease, clock
        self._next = clock()
        self.findings: list[dict[str, object]] = []

    def add(self, finding: EngineFinding) -> None:
        self.findings.append(finding.to_json())
        if self._clock() >= self._next:
            leased_row(self._lease).update(findings=self.findings)
            self._next = self._clock() + STORE_SECONDS


def analyse(
    analysis_id: int,
    *,
    worker: str,
    engine: Engine,
    clock: Callable[[], float] = time.monotonic,
    stopping: Callable[[], bool] = lambda: False,
) -> bool:
    """Run the next analysis in the queue, and then further ones if they are quick.

    ``analysis_id``: the analysis for which the worker was woken; ``stopping``: returns true once the worker is shutting
    down. Returns False if none was waiting, or if the last one was not stored.
    """
    work = partial(_analyse, engine, clock)
    return ANALYSES.run_batch(analysis_id, SHARED_QUEUE, work, worker=worker, clock=clock, stopping=stopping)


def _analyse(engine: Engine, clock: Callable[[], float], lease: Lease, stop: Callable[[], bool]) -> bool:
    found = _FindingsStore(lease, clock)
    engine(line_of_analysis(lease.row), found.add, preemptible_stop(lease.row, stop, clock))
    now = timezone.now()
    with transaction.atomic():
        stored = store_result(lease, status=AnalysisStatus.DONE, findings=found.findings, finished_at=now)
        if stored and lease.row.requested_by_id is None:
            automatic.notify_authors(lease.row.match_id, now=now)
    if not stored:
        logger.info("%s: findings under fence %s dropped", lease, lease.fence)
    return stored
