"""Name this worker process in its leases, and release them at shutdown.

Invariant: an orderly shutdown (a restart, a deployment) never counts as an attempt; only the sudden death of a worker
counts, because the job may have caused it.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterable

from celery.signals import worker_shutting_down
from django.db import DatabaseError, connections

from arena.platform.jobs.lifecycle import JobQueue, release_all

logger = logging.getLogger(__name__)

_QUEUES: list[JobQueue] = []


def register_queue(jobs: JobQueue) -> None:
    """Register a job model; called once by its app when it is ready."""
    if jobs not in _QUEUES:
        _QUEUES.append(jobs)


def worker_name() -> str:
    """Return this process's name in leases: host, Celery main process and pool process."""
    return f"{pool_name(os.getppid())}{os.getpid()}"


def pool_name(main_pid: int) -> str:
    """Return the common prefix of the names of one worker's pool processes."""
    return f"{socket.gethostname()}:{main_pid}:"


def release_leases(main_pid: int, queues: Iterable[JobQueue]) -> int:
    """Release all leases held by the pool of a Celery main process; return how many."""
    return sum(release_all(jobs, workers=pool_name(main_pid)) for jobs in queues)


@worker_shutting_down.connect
def _release_at_shutdown(how: str = "", **_: object) -> None:
    """Release leases after a cold shutdown; a warm one lets the pool finish its matches."""
    if how != "Cold":
        return
    try:
        returned = release_leases(os.getpid(), _QUEUES)
        logger.warning("stopping: %s leases released", returned)
    except DatabaseError as error:
        logger.warning("stopping: the leases could not be released and will expire: %s", error)
    finally:
        connections.close_all()
