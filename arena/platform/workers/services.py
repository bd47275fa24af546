"""Register, update and drain workers.

Invariant: each heartbeat costs one UPDATE and one SELECT of a single row, however many workers there are.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from arena.core.sandbox.status import SandboxStatus
from arena.platform.workers.models import Worker

# A worker without a heartbeat for this long is considered dead.
OFFLINE_AFTER = timedelta(seconds=30)
# How long a dead worker remains listed.
DELETED_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A worker's host, process, and kinds of work."""

    host: str
    pid: int
    queues: tuple[str, ...]
    games: tuple[str, ...]
    concurrency: int
    version: str


@dataclass(frozen=True, slots=True)
class WorkerCommands:
    """The commands in a worker's row: whether to drain, and why it must not run bots ("" if it may)."""

    drain: bool
    refused: str


def register_worker(info: WorkerInfo, *, now: datetime) -> int:
    """Register a worker that has just started; return the id of its row. Replaces a dead worker of the same name."""
    fresh = {
        "queues": list(info.queues),
        "games": list(info.games),
        "concurrency": info.concurrency,
        "version": info.version,
        "started_at": now,
        "heartbeat_at": now,
        "drain_asked_at": None,
        "draining": False,
        "sandbox": None,
        "refused": "",
    }
    worker, _ = Worker.objects.update_or_create(host=info.host, pid=info.pid, defaults=fresh)
    return worker.pk


def record_heartbeat(worker_id: int, *, draining: bool, now: datetime) -> WorkerCommands | None:
    """Record a heartbeat; return the worker's commands, or None if its row was deleted."""
    rows = Worker.objects.filter(pk=worker_id)
    if not rows.update(heartbeat_at=now, draining=draining):
        return None
    drain_asked_at, refused = rows.values_list("drain_asked_at", "refused").get()
    return WorkerCommands(drain=drain_asked_at is not None, refused=refused)


def report_sandbox(worker_id: int, status: SandboxStatus) -> str:
    """Store a worker's sandbox status; return why it must refuse bots, or ""."""
    refused = refusal_reason(status)
    Worker.objects.filter(pk=worker_id).update(sandbox=status.to_json(), refused=refused)
    return refused


def refusal_reason(status: SandboxStatus) -> str:
    """Return the reason why bots cannot be run, in one line for operators; "" if they can."""
    if status.is_usable:
        return ""
    reasons = [f"{capability.name} is missing: {capability.detail}" for capability in status.missing_capabilities]
    reasons += [f"the self-test found an escape: {escape.attempt}: {escape.evidence}" for escape in status.escapes]
    if status.failure is not None:
        reasons.append(status.failure)
    return ("; ".join(reasons) or "the state of the sandbox is unknown")[:500]


def record_refusal(reason: str) -> None:
    """Record that bots cannot run; called in a pool process.

    The pool's worker then accepts no bots until the next sandbox check.
    """
    Worker.objects.filter(host=socket.gethostname(), pid=os.getppid()).update(refused=reason[:500])


def is_draining() -> bool:
    """Return whether the worker is draining. Called in pool processes that run an endless task."""
    rows = Worker.objects.filter(host=socket.gethostname(), pid=os.getppid())
    return rows.filter(Q(draining=True) | Q(drain_asked_at__isnull=False)).exists()


def delete_worker(worker_id: int) -> None:
    """Delete the row of a worker that is shutting down."""
    Worker.objects.filter(pk=worker_id).delete()


def request_drain(names: list[str], *, now: datetime) -> list[str]:
    """Request a drain of the workers named by host or ``host:pid``, or of all if no names are given.

    Return the affected workers.
    """
    alive = Worker.objects.filter(heartbeat_at__gte=now - OFFLINE_AFTER)
    chosen = [worker for worker in alive if not names or worker.host in names or str(worker) in names]
    _request_drain([worker.pk for worker in chosen], now)
    return [str(worker) for worker in chosen]


def request_drain_of_one(worker_id: int, *, now: datetime) -> bool:
    """Request a drain of one worker; return False if the worker no longer exists."""
    if not Worker.objects.filter(pk=worker_id, heartbeat_at__gte=now - OFFLINE_AFTER).exists():
        return False
    _request_drain([worker_id], now)
    return True


def _request_drain(worker_ids: list[int], now: datetime) -> None:
    Worker.objects.filter(pk__in=worker_ids, drain_asked_at=None).update(drain_asked_at=now)


def delete_dead_workers(*, now: datetime) -> int:
    """Delete the rows of workers that died long ago; return how many."""
    return Worker.objects.filter(heartbeat_at__lt=now - DELETED_AFTER).delete()[0]
