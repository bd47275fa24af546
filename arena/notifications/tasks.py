"""Celery's door to the outbox."""

from django.utils import timezone

from arena.celery import app
from arena.notifications import sending
from arena.notifications.transport import DjangoTransport
from arena.notifications.waking import SEND_TASK


@app.task(name=SEND_TASK)
def send() -> None:
    """Send the mails that are due."""
    sending.send_due(DjangoTransport(), now=timezone.now())
