"""Run one attempt at a job under a heartbeat, and finish or release the job in every case.

How an attempt ends decides whether it counts:

    the work returns               the job is done, or was taken away; nothing more to do
    a ``stopped`` exception        told to stop, or taken away: released, not counted
    JobPostponed                   the disk is full, a store is unavailable: logged, released, not counted
    a ``failures`` exception       a known failure of the arena: logged, released, counted
    the database is unavailable    raised; the sweep requeues the job once its lease expires
    any other exception            a bug in the arena: released, counted, and raised
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import InterfaceError, OperationalError, transaction

from arena.core.messages import ExplainedFailure, Message, verbatim_message
from arena.platform.jobs.heartbeat import Heartbeat
from arena.platform.jobs.lifecycle import Lease, leased_row, release

logger = logging.getLogger(__name__)

# How long a worker process works on quick jobs after one wake-up, before other queues get their turn.
BATCH_SECONDS: Final = 0.5


def failure_message(error: Exception) -> Message:
    """Return the message of an exception that has one; otherwise, its type and text, for operators."""
    return (
        error.message if isinstance(error, ExplainedFailure) else verbatim_message(f"{type(error).__name__}: {error}")
    )


class JobStopped(Exception):  # noqa: N818 - requested, not an error
    """Raised by work that was asked to stop, or whose job now belongs to another worker."""


class JobPostponed(Exception):  # noqa: N818 - a temporary state of the machine, not an error
    """Raised if a resource that the job needs is temporarily unavailable; the job waits, and no attempt is used up."""


@dataclass(frozen=True, slots=True)
class Endings:
    """The ways in which attempts at a kind of job may end without a result.

    ``reason``: returns the failure description to be stored; called in the transaction that releases the job, while the
    job is still held.
    """

    failures: tuple[type[Exception], ...] = ()
    stopped: tuple[type[Exception], ...] = (JobStopped,)
    reason: Callable[[Lease, Exception], Message] = lambda lease, error: failure_message(error)


# Works on a job and stores its result under the lease; receives a callable that returns whether to stop.
Work = Callable[[Callable[[], bool]], bool]


def run_attempt(
    lease: Lease,
    work: Work,
    endings: Endings,
    *,
    stopping: Callable[[], bool] = lambda: False,
    then: Callable[[Lease], None] = lambda lease: None,
) -> bool:
    """Work on a claimed job; return the result of ``work``, or False if the job ended without one.

    ``stopping``: returns true once the worker is shutting down. ``then``: called in the transaction that releases the
    job.
    """
    try:
        with Heartbeat(lease) as heartbeat:
            return work(lambda: heartbeat.is_lost or stopping())
    except endings.stopped:
        _release(lease, then, counted=False)
    except JobPostponed as reason:
        logger.error("%s keeps waiting: %s", lease, reason)
        _release(lease, then, partial(failure_message, reason), counted=False)
    except endings.failures as failure:
        logger.exception("%s: the arena failed", lease)
        _release(lease, then, partial(endings.reason, lease, failure), counted=True)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        _release(lease, then, partial(endings.reason, lease, error), counted=True)
        raise
    return False


def _release(
    lease: Lease, then: Callable[[Lease], None], failure: Callable[[], Message | None] = lambda: None, *, counted: bool
) -> None:
    """Release the job; do nothing if the lease is lost or the job has ended in the meantime.

    ``failure``: returns why the attempt failed, None if it did not; ``counted``: whether the attempt counts; ``then``:
    see ``run_attempt``.
    """
    with transaction.atomic():
        if not leased_row(lease).select_for_update().exists():
            return
        if release(lease, counted=counted, failure=failure()):
            then(lease)


def run_batch(
    claim: Callable[[], Lease | None], work: Callable[[Lease], bool], *, clock: Callable[[], float] = time.monotonic
) -> Lease | None:
    """Work on the next jobs in fair-share order for a short while, so that one wake-up covers several quick jobs.

    Each job is claimed after the previous one has ended, so scheduling remains as fair as with separate wake-ups. A job
    without a result ends the batch, because the same failure may affect the jobs after it. Returns the last lease, or
    None if there was none.
    """
    until = clock() + BATCH_SECONDS
    last = None
    while (lease := claim()) is not None:
        last = lease
        if not work(lease) or clock() >= until:
            break
    return last
