"""Request large reports, compute them on a worker, and retry those whose worker died.

    WAITING --claimed--> RUNNING --computed--> READY
    RUNNING --its worker died--> WAITING, or FAILED after the third time

Invariants: each source has one report per version of the analysis, however many people request it; results are stored
under the lease, so a worker that has lost its lease changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Final

from django.db import transaction

from arena.accounts.permissions import OWNER, STAFF, Rules
from arena.celery import Queue, queue_of
from arena.games.golden_point.analysis.models import ReportStatus, StoredReport
from arena.games.golden_point.analysis.sources import GAME, SourceKind, load
from arena.games.golden_point.evaluation.report import VERSION, create_report, pack
from arena.games.golden_point.recordings.queries import deleted_codes
from arena.platform.jobs.attempt import JobStopped
from arena.platform.jobs.dispatcher import wake_ups_to
from arena.platform.jobs.fair_share import SharedQueue
from arena.platform.jobs.job_kind import JobKind
from arena.platform.jobs.lifecycle import JobQueue, Lease, leased_row, store_result
from arena.platform.jobs.stalled import StallDetector
from arena.platform.refusal import NotFound


class ReportAction(StrEnum):
    """The restricted actions on the analysis of a match or recording."""

    REPEAT_REPORT = "repeat_report"  # after an arena failure; for the owner of the recording or match


RULES: Final[Rules] = {ReportAction.REPEAT_REPORT: OWNER | STAFF}

JOBS: Final = JobQueue(StoredReport, ReportStatus.WAITING, ReportStatus.RUNNING)
SHARED_QUEUE: Final = SharedQueue(JOBS)
TASK: Final = "arena.games.golden_point.analysis.tasks.compute"
_PROGRESS_SECONDS: Final = 2.0  # seconds between two progress updates


def request_report(source_id: str, party: str, *, now: datetime) -> None:
    """Have a worker compute a report once, however many people request it.

    The report counts towards the first requester's share of the queue.
    """
    with transaction.atomic():
        defaults = {"created_at": now, "party": party}
        row, made = StoredReport.objects.get_or_create(source=source_id, version=VERSION, defaults=defaults)
        if made:
            transaction.on_commit(partial(REPORTS.wake, [row.pk], now=now))


def retry_report(source_id: str, *, now: datetime) -> bool:
    """Have workers retry the failed report on this source; return False if there is no failed report."""
    with transaction.atomic():
        failed = StoredReport.objects.filter(source=source_id, version=VERSION, status=ReportStatus.FAILED)
        return bool(REPORTS.retry(failed, percent=0))


def compute(pk: int, *, worker: str, clock: Callable[[], float]) -> bool:
    """Compute the next report in the queue, and then further ones if they are quick.

    ``pk``: the report for which the worker was woken; ``clock``: monotonic, in seconds. Returns False if no report was
    waiting, or if the last one was not stored.
    """
    return REPORTS.run_batch(pk, SHARED_QUEUE, partial(_compute, clock), worker=worker, clock=clock)


def _compute(clock: Callable[[], float], lease: Lease, stop: Callable[[], bool]) -> bool:
    try:
        match = load(lease.row.source)
        data = pack(create_report(match, ProgressRecorder(lease, len(match.players), clock, stop)))
    except NotFound:
        leased_row(lease).delete()  # the recording was deleted in the meantime
        return True
    return store_result(lease, status=ReportStatus.READY, percent=100, data=data)


class ProgressRecorder:
    """A recorder that stores a report's progress periodically, and stops if the lease is lost."""

    def __init__(self, lease: Lease, players: int, clock: Callable[[], float], lost: Callable[[], bool]) -> None:
        self._lease, self._players, self._clock, self._lost = lease, players, clock, lost
        self._stored_at = clock()

    def __call__(self, done: int) -> None:
        if self._lost():
            raise JobStopped
        now = self._clock()
        if now - self._stored_at >= _PROGRESS_SECONDS:
            self._stored_at = now
            leased_row(self._lease).update(percent=100 * done // self._players)


def _delete_reports_on_deleted_recordings() -> None:
    """Delete reports on deleted recordings; reports on matches are kept."""
    prefix = f"{SourceKind.RECORDING}/"
    sources = StoredReport.objects.filter(source__startswith=prefix).values_list("source", flat=True)
    gone = deleted_codes([source.removeprefix(prefix) for source in sources])
    StoredReport.objects.filter(source__in=[prefix + code for code in gone]).delete()


def sweep(detector: StallDetector, *, now: datetime) -> None:
    """Sweep the jobs, and delete outdated reports and reports on deleted recordings."""
    StoredReport.objects.exclude(version=VERSION).delete()
    _delete_reports_on_deleted_recordings()
    REPORTS.sweep(detector, now=now)


REPORTS: Final = JobKind(
    JOBS,
    wake_ups_to(TASK, queue_of(Queue.ANALYSIS, GAME)),
    given_up=lambda now: {"status": ReportStatus.FAILED},
)
