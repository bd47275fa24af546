"""Celery task that removes dead workers."""

from django.utils import timezone

from arena.celery import app
from arena.platform.workers import services


@app.task(name="arena.platform.workers.tasks.forget")
def forget() -> None:
    """Delete the rows of workers that died long ago."""
    services.delete_dead_workers(now=timezone.now())
