"""Celery tasks of version tests."""

from django.utils import timezone

from arena.celery import app
from arena.ratings import spare_capacity
from arena.version_tests import queries, services


@app.task(name="arena.version_tests.tasks.tick")
def tick() -> None:
    """Let idle workers play the matches of version tests, or yield."""
    if queries.is_any_active():
        now = timezone.now()
        services.tick(spare_capacity.measure(now), now=now)
