"""Claiming, extending and giving back leased work, for every model that derives from ``Job``.

The database is the truth; a task queue only wakes. Rows are in one of two states here:
``waiting`` (ready to be claimed) and ``running`` (claimed by a worker that renews its lease); the names of
these states are the model's own and come in as ``JobQueue``.

Invariant: no decision compares clocks. Only a waiting row is claimed; a running one whose worker died becomes
waiting again by ``requeue``, once ``watch`` has seen that nobody renews its lease. A clock that is stepped, or
differs from another machine's, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arena.platform.jobs.models import Job

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
HEARTBEAT_SECONDS = settings.LEASE_SECONDS / 5
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class JobQueue:
    """The model whose rows are claimed, and what it calls waiting and running."""

    model: type[Job]
    waiting: str
    running: str

    @property
    def noun(self) -> str:
        """What logs call a row."""
        return str(self.model._meta.verbose_name)

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()


@dataclass(frozen=True, slots=True)
class StalledJob:
    """A running row as it was when its worker last gave a sign of life."""

    pk: int
    fence: int
    lease_until: datetime | None
    worker: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row and to store its result."""

    jobs: JobQueue
    pk: int
    fence: int
    attempt: int


def claim(jobs: JobQueue, pk: int, *, worker: str, now: datetime) -> Lease | None:
    """Claim a waiting row; None where somebody else has it. ``now`` is this worker's clock, nobody else's."""
    with transaction.atomic():
        changed = (
            jobs.rows()
            .filter(pk=pk, status=jobs.waiting, attempts__lt=MAX_ATTEMPTS)
            .update(
                status=jobs.running,
                fence=F("fence") + 1,
                attempts=F("attempts") + 1,
                served=Coalesce(Subquery(_newest_turn(jobs)), 0) + 1,
                worker=worker[:120],
                lease_until=now + LEASE,
            )
        )
        if not changed:
            return None
        fence, attempt = jobs.rows().values_list("fence", "attempts").get(pk=pk)
    return Lease(jobs, pk, fence, attempt)


def _newest_turn(jobs: JobQueue) -> QuerySet[Any]:
    return jobs.rows().order_by("-served").values("served")[:1]


def held(lease: Lease) -> QuerySet[Any]:
    """The leased row as long as the lease is still ours: update through this and count the rows."""
    return lease.jobs.rows().filter(pk=lease.pk, fence=lease.fence, status=lease.jobs.running)


def extend(lease: Lease, *, now: datetime) -> bool:
    """Heartbeat; False when the row was taken away, and the work is to be dropped."""
    return bool(held(lease).update(lease_until=now + LEASE))


def release(lease: Lease, *, counted: bool) -> bool:
    """Return the row to the waiting ones; ``counted`` tells whether this attempt failed by a fault of ours."""
    changes: dict[str, object] = {"status": lease.jobs.waiting, "lease_until": None, "worker": "", "woken_at": None}
    if not counted:
        changes["attempts"] = F("attempts") - 1
    return bool(held(lease).update(**changes))


def release_all(jobs: JobQueue, *, workers: str) -> int:
    """Return every row held by workers whose names begin so, uncounted."""
    return (
        jobs.rows()
        .filter(status=jobs.running, worker__startswith=workers)
        .update(status=jobs.waiting, attempts=F("attempts") - 1, lease_until=None, worker="", woken_at=None)
    )


def requeue(jobs: JobQueue, stalled: StalledJob) -> bool:
    """Let a row whose worker died wait for another; False where it has given a sign of life since."""
    rows = jobs.rows().filter(pk=stalled.pk, fence=stalled.fence, status=jobs.running, lease_until=stalled.lease_until)
    return bool(rows.update(status=jobs.waiting, lease_until=None, worker="", woken_at=None))


def exhausted(jobs: JobQueue) -> QuerySet[Any]:
    """Rows that used up their attempts without a result: they are to be voided."""
    return jobs.rows().filter(status=jobs.waiting, attempts__gte=MAX_ATTEMPTS)
