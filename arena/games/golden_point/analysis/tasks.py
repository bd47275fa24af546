"""Celery tasks for large reports."""

import time

from django.utils import timezone

from arena.celery import app
from arena.games.golden_point.analysis import services
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name

_detector = StallDetector(services.JOBS)


@app.task(name=services.TASK)
def compute(pk: int) -> None:
    """Compute the next report in the queue, and then further ones if they are quick.

    ``pk``: the report for which the worker was woken.
    """
    services.compute(pk, worker=worker_name(), clock=time.monotonic)


@app.task(name="arena.games.golden_point.analysis.tasks.sweep")
def sweep() -> None:
    """Requeue reports whose worker died, and delete obsolete reports."""
    services.sweep(_detector, now=timezone.now())
