"""Celery's door to the services of the fleet."""

from django.utils import timezone

from arena.celery import app
from arena.fleet import services


@app.task(name="arena.fleet.tasks.forget")
def forget() -> None:
    """Drop the rows of workers that died long ago."""
    services.forget_gone(now=timezone.now())
