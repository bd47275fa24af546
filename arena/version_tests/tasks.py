"""Celery tasks for version tests."""

from django.utils import timezone

from arena.celery import app
from arena.ratings import spare_capacity
from arena.version_tests import queries, services


@app.task(name="arena.version_tests.tasks.tick")
def tick() -> None:
    """Let idle workers play version test matches, or cancel those matches if other work needs the workers."""
    if queries.is_any_active():
        now = timezone.now()
        services.tick(spare_capacity.measure_spare_capacity(now), now=now)
