"""Celery tasks for tournaments."""

from django.utils import timezone

from arena.celery import app
from arena.tournaments import scheduler


@app.task(name="arena.tournaments.tasks.tick")
def tick() -> None:
    """Freeze, start, release and finish the tournaments that are due."""
    scheduler.tick(now=timezone.now())
