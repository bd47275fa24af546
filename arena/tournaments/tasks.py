"""Celery's door to the clockwork of tournaments."""

from django.utils import timezone

from arena.celery import app
from arena.tournaments import clockwork


@app.task(name="arena.tournaments.tasks.tick")
def tick() -> None:
    """Freeze, start, release and finish what is due."""
    clockwork.tick(now=timezone.now())
