"""The Celery task that sends webhook deliveries."""

import random

from django.utils import timezone

from arena.celery import app
from arena.webhooks.delivery import DELIVER_TASK, deliver_due, http_transport


@app.task(name=DELIVER_TASK)
def deliver() -> None:
    """Send the deliveries that are due."""
    deliver_due(http_transport(), clock=timezone.now, rng=random.SystemRandom())
