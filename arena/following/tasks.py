"""Celery task that notifies followers."""

from django.utils import timezone

from arena.celery import app
from arena.following import digests


@app.task(name="arena.following.tasks.notify")
def notify() -> None:
    """Send the digests that are due."""
    digests.send_digests(now=timezone.now())
