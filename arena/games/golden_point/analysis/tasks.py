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
    """Compute one report, if it is still waiting."""
    services.compute(pk, worker=worker_name(), clock=time.monotonic)


@app.task(name="arena.games.golden_point.analysis.tasks.sweep")
def sweep() -> None:
    """Requeue the reports of dead workers, and delete obsolete ones."""
    services.sweep(_detector, now=timezone.now())
