"""The Celery task that sends the emails in the outbox."""

from django.utils import timezone

from arena.accounts.outbox import SEND_TASK
from arena.celery import app
from arena.notifications import account_mails, delivery
from arena.notifications.transport import DjangoTransport


@app.task(name=SEND_TASK)
def send() -> None:
    """Send the emails that are due."""
    # first, because somebody is waiting for them
    account_mails.send_account_mails(DjangoTransport(), now=timezone.now())
    delivery.send_due(DjangoTransport(), now=timezone.now())
