"""Celery's doors to large reports."""

import time

from django.utils import timezone

from arena.celery import app
from arena.games.golden_point.analysis import services
from arena.platform.jobs.stalled import StallDetector
from arena.platform.jobs.workers import worker_name

_detector = StallDetector(services.JOBS)


@app.task(name=services.TASK)
def draw_up(pk: int) -> None:
    """Draw up one report, if it still waits."""
    services.draw_up(pk, worker=worker_name(), clock=time.monotonic)


@app.task(name="arena.games.golden_point.analysis.tasks.sweep")
def sweep() -> None:
    """Wake workers for what lost its own."""
    services.sweep(_detector, now=timezone.now())
