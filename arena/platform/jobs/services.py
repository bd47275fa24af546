"""Claiming, extending and giving back leased work, for every model that derives from ``Leased``.

The database is the truth; a task queue only wakes. Rows are in one of two states here:
``waiting`` (ready to be claimed) and ``running`` (claimed by a worker that renews its lease); the names of
these states are the model's own and come in as ``Lane``.

Invariant: no decision compares clocks. Only a waiting row is claimed; a running one whose worker died becomes
waiting again by ``take_back``, once ``watch`` has seen that nobody renews its lease. A clock that is stepped, or
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

from arena.platform.jobs.models import Leased

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
HEARTBEAT_SECONDS = settings.LEASE_SECONDS / 5
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Lane:
    """The model whose rows are claimed, and what it calls waiting and running."""

    model: type[Leased]
    waiting: str
    running: str

    @property
    def noun(self) -> str:
        """What logs call a row."""
        return str(self.model._meta.verbose_name)

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()


@dataclass(frozen=True, slots=True)
class Silent:
    """A running row as it was when its worker last gave a sign of life."""

    pk: int
    fence: int
    lease_until: datetime | None
    worker: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row and to store its result."""

    lane: Lane
    pk: int
    fence: int
    attempt: int


def claim(lane: Lane, pk: int, *, worker: str, now: datetime) -> Lease | None:
    """Claim a waiting row; None where somebody else has it. ``now`` is this worker's clock, nobody else's."""
    with transaction.atomic():
        changed = (
            lane.rows()
            .filter(pk=pk, status=lane.waiting, attempts__lt=MAX_ATTEMPTS)
            .update(
                status=lane.running,
                fence=F("fence") + 1,
                attempts=F("attempts") + 1,
                served=Coalesce(Subquery(_newest_turn(lane)), 0) + 1,
                worker=worker[:120],
                lease_until=now + LEASE,
            )
        )
        if not changed:
            return None
        fence, attempt = lane.rows().values_list("fence", "attempts").get(pk=pk)
    return Lease(lane, pk, fence, attempt)


def _newest_turn(lane: Lane) -> QuerySet[Any]:
    return lane.rows().order_by("-served").values("served")[:1]


def held(lease: Lease) -> QuerySet[Any]:
    """The leased row as long as the lease is still ours: update through this and count the rows."""
    return lease.lane.rows().filter(pk=lease.pk, fence=lease.fence, status=lease.lane.running)


def extend(lease: Lease, *, now: datetime) -> bool:
    """Heartbeat; False when the row was taken away, and the work is to be dropped."""
    return bool(held(lease).update(lease_until=now + LEASE))


def give_back(lease: Lease, *, counted: bool) -> bool:
    """Return the row to the waiting ones; ``counted`` tells whether this attempt failed by a fault of ours."""
    changes: dict[str, object] = {"status": lease.lane.waiting, "lease_until": None, "worker": "", "woken_at": None}
    if not counted:
        changes["attempts"] = F("attempts") - 1
    return bool(held(lease).update(**changes))


def give_back_all(lane: Lane, *, workers: str) -> int:
    """Return every row held by workers whose names begin so, uncounted."""
    return (
        lane.rows()
        .filter(status=lane.running, worker__startswith=workers)
        .update(status=lane.waiting, attempts=F("attempts") - 1, lease_until=None, worker="", woken_at=None)
    )


def take_back(lane: Lane, silent: Silent) -> bool:
    """Let a row whose worker died wait for another; False where it has given a sign of life since."""
    rows = lane.rows().filter(pk=silent.pk, fence=silent.fence, status=lane.running, lease_until=silent.lease_until)
    return bool(rows.update(status=lane.waiting, lease_until=None, worker="", woken_at=None))


def exhausted(lane: Lane) -> QuerySet[Any]:
    """Rows that used up their attempts without a result: they are to be voided."""
    return lane.rows().filter(status=lane.waiting, attempts__gte=MAX_ATTEMPTS)
