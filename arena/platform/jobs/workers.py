"""Name this worker process in its leases, and release them when it is told to stop.

Invariant: a stop that somebody ordered (a restart, a deployment) never counts as an attempt; only a
worker that died without a word does, because what it played may have killed it.
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


def serve(jobs: JobQueue) -> None:
    """Called once by the app that owns a jobs, when it is ready."""
    if jobs not in _QUEUES:
        _QUEUES.append(jobs)


def worker_name() -> str:
    """Host, Celery's main process, and this process of its pool."""
    return f"{pool_name(os.getppid())}{os.getpid()}"


def pool_name(main_pid: int) -> str:
    """What the names of all processes of one worker's pool begin with."""
    return f"{socket.gethostname()}:{main_pid}:"


def release_leases(main_pid: int, queues: Iterable[JobQueue]) -> int:
    """Give back whatever the pool of a Celery main process holds; returns how many rows."""
    return sum(release_all(jobs, workers=pool_name(main_pid)) for jobs in queues)


@worker_shutting_down.connect
def _stop(how: str = "", **_: object) -> None:
    """A warm shutdown lets the pool finish; a cold one ends it in the middle of its matches."""
    if how != "Cold":
        return
    try:
        returned = release_leases(os.getpid(), _QUEUES)
        logger.warning("stopping: %s rows given back", returned)
    except DatabaseError as error:
        logger.warning("stopping: the leases could not be given back and run out instead: %s", error)
    finally:
        connections.close_all()
