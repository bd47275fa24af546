"""The Celery task that sends webhook deliveries."""

import random

from django.utils import timezone

from arena.celery import app
from arena.webhooks import delivering
from arena.webhooks.rules import http_transport
from arena.webhooks.wake_up import DELIVER_TASK


@app.task(name=DELIVER_TASK)
def deliver() -> None:
    """Send the deliveries that are due."""
    delivering.deliver_due(http_transport(), clock=timezone.now, rng=random.SystemRandom())
