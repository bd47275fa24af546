"""Celery's doors to the rooms."""

from django.utils import timezone

from arena.celery import app
from arena.rooms import services


@app.task(name="arena.rooms.tasks.sweep")
def sweep() -> None:
    """Close what no web process closed, and give up rooms that everybody left."""
    now = timezone.now()
    services.open_always(now)
    services.close_due(now)
    services.give_up_idle(now)
