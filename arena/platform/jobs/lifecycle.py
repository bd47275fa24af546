"""Manage the life cycle of jobs: work that is done by one worker at a time and survives the loss of its worker.

A job is a row of a model that derives from ``Job``, such as a match, a check, an analysis or a report. The model
declares its waiting and its running state (``JobQueue``); all other states are the model's own.

                claim: fence + 1, attempts + 1                store the result, under the fence
      WAITING ─────────────────────────────────> RUNNING ───────────────────────────────────> a state of the model's own
         │ ^                                        │
         │ ├── release: told to stop, disk full ────┤  attempts - 1
         │ ├── release: a failure of the arena ─────┤  the attempt counts
         │ └── requeue: no heartbeat for LEASE ─────┘  the attempt counts
         └── after MAX_ATTEMPTS: given up ──> a state of the model's own, from which ``retry`` leads back to WAITING

Who does what:

    dispatcher   wakes a worker for a waiting row; a lost message causes a delay, a duplicate has no effect
    fair_share   chooses the row whose turn it is; ``claim`` takes it by a conditional UPDATE
    attempt      works on a claimed row under a heartbeat, and releases it if there is no result
    heartbeat    extends the lease; notices if the row was taken away
    stalled      finds rows whose heartbeat has stopped; ``sweep`` requeues them and gives up after the last attempt
    announcer    notifies viewers that an attempt ended without a result
    job_kind     all of this for one model, which adds its callbacks and its work

Invariants: the database is the source of truth; messages only wake workers. A result is stored only under the row's
current fencing token (``store_result``), so a worker that lost its row changes nothing. No decision compares clocks:
only a waiting row is claimed, and a running row returns to waiting once ``stalled`` has observed, by one monotonic
clock, that its lease is no longer being extended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet

from arena.core.messages import Message
from arena.platform.jobs.models import Job

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
HEARTBEAT_SECONDS = settings.LEASE_SECONDS / 5
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class JobQueue:
    """The model whose rows are claimed, and its states for waiting and running rows."""

    model: type[Job]
    waiting: str
    running: str

    @property
    def noun(self) -> str:
        """Return the noun for a row in logs, such as "match"."""
        return str(self.model._meta.verbose_name)

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()


@dataclass(frozen=True, slots=True)
class StalledJob:
    """A running row as it was at its worker's last heartbeat."""

    pk: int
    fence: int
    lease_until: datetime | None
    worker: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row and to store its result. ``row``: the row as it was before the claim."""

    jobs: JobQueue
    pk: int
    fence: int
    attempt: int
    row: Any = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.jobs.noun} {self.pk}"


def claim(
    jobs: JobQueue, pk: int, *, worker: str, now: datetime, changes: Mapping[str, Any] | None = None
) -> Lease | None:
    """Claim a waiting row; return None if another worker has it. ``now``: the time by this worker's own clock."""
    row = jobs.rows().filter(pk=pk, status=jobs.waiting, attempts__lt=MAX_ATTEMPTS).first()
    if row is None:
        return None
    newest: int = jobs.rows().order_by("-served").values_list("served", flat=True)[0]
    return claim_row(jobs, row, worker=worker, now=now, turn=newest + 1, changes=changes)


def claim_row(
    jobs: JobQueue, row: Any, *, worker: str, now: datetime, turn: int, changes: Mapping[str, Any] | None = None
) -> Lease | None:
    """Claim a row that was seen waiting: one UPDATE, which has no effect if another worker has claimed it since.

    ``turn``: the number of this claim (see ``Job.served``); ``changes``: other columns that are set with the claim.
    """
    seen = jobs.rows().filter(pk=row.pk, status=jobs.waiting, fence=row.fence, attempts=row.attempts)
    changed = seen.update(
        **(changes or {}),
        status=jobs.running,
        fence=row.fence + 1,
        attempts=row.attempts + 1,
        served=turn,
        worker=worker[:120],
        lease_until=now + LEASE,
    )
    return Lease(jobs, row.pk, row.fence + 1, row.attempts + 1, row) if changed else None


def leased_row(lease: Lease) -> QuerySet[Any]:
    """Return a query that selects the leased row while the lease is held; update through it and check the row count."""
    return lease.jobs.rows().filter(pk=lease.pk, fence=lease.fence, status=lease.jobs.running)


def store_result(lease: Lease, **result: object) -> bool:
    """Store a job's result and its final state; return False if the lease is lost, in which case nothing changes.

    An earlier failure is cleared unless ``result`` contains a new one.
    """
    return bool(leased_row(lease).update(**{"lease_until": None, "failure": None, **result}))


def end_rows(rows: QuerySet[Any], **changes: object) -> int:
    """End rows without involving their workers, which drop them at the next heartbeat; return how many were ended."""
    return rows.update(lease_until=None, **changes)


def cancel(rows: QuerySet[Any], **changes: object) -> int:
    """Cancel rows, running or not, by setting a final state; return how many.

    The fence increases, because the cancellation needs an event number of its own: pages that show a waiting row
    already know all event numbers up to the row's fence.
    """
    return end_rows(rows, **changes, fence=F("fence") + 1)


def extend(lease: Lease, *, now: datetime) -> bool:
    """Extend the lease (heartbeat); return False if the lease has been lost and the work must be abandoned."""
    return bool(leased_row(lease).update(lease_until=now + LEASE))


def release(lease: Lease, *, counted: bool, failure: Message | None = None) -> bool:
    """Release the lease and requeue the row; return False if the lease is lost.

    ``counted``: whether the attempt counts, as it does after a failure of the arena; ``failure``: why the attempt
    failed, if it did.
    """
    changes: dict[str, object] = _waiting_columns(lease.jobs)
    if not counted:
        changes["attempts"] = F("attempts") - 1
    if failure is not None:
        changes["failure"] = failure.to_json("message")
    return bool(leased_row(lease).update(**changes))


def release_all(jobs: JobQueue, *, workers: str) -> int:
    """Requeue all rows held by workers whose names begin with ``workers``; return how many.

    The interrupted attempts are not counted.
    """
    running = jobs.rows().filter(status=jobs.running, worker__startswith=workers)
    return running.update(**_waiting_columns(jobs), attempts=F("attempts") - 1)


def requeue(jobs: JobQueue, stalled: StalledJob) -> bool:
    """Requeue a row whose worker died; return False if a heartbeat has arrived since."""
    rows = jobs.rows().filter(pk=stalled.pk, fence=stalled.fence, status=jobs.running, lease_until=stalled.lease_until)
    return bool(rows.update(**_waiting_columns(jobs)))


def exhausted_rows(jobs: JobQueue) -> QuerySet[Any]:
    """Select rows that have used up their attempts without a result."""
    return jobs.rows().filter(status=jobs.waiting, attempts__gte=MAX_ATTEMPTS)


def retry(jobs: JobQueue, rows: QuerySet[Any], **changes: object) -> int:
    """Requeue rows that have ended, with a fresh set of attempts; return how many. The caller dispatches them."""
    return rows.update(**_waiting_columns(jobs), attempts=0, failure=None, **changes)


def _waiting_columns(jobs: JobQueue) -> dict[str, Any]:
    return {"status": jobs.waiting, "lease_until": None, "worker": "", "woken_at": None}
