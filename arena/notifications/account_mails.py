"""Send queued emails about accounts: links to confirm an address or to reset a password.

Each email is sent at least once, because somebody is waiting for it and a duplicate link does no harm. A row is claimed
by a conditional UPDATE and deleted when its message has been sent; a request whose email could not be sent within a day
is abandoned.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from arena.accounts.emails import emails_to_send
from arena.accounts.models import AccountMail
from arena.notifications.transport import MailRefusedError, MailServerUnavailableError, MailTransport

logger = logging.getLogger(__name__)

RETRY_DELAY = timedelta(minutes=1)
EXPIRES_AFTER = timedelta(days=1)
BATCH = 50


def send_account_mails(transport: MailTransport, *, now: datetime) -> int:
    """Send the emails for up to ``BATCH`` queued requests; return the number of completed requests."""
    AccountMail.objects.filter(created_at__lt=now - EXPIRES_AFTER).delete()
    due = AccountMail.objects.filter(Q(claimed_at=None) | Q(claimed_at__lt=now - RETRY_DELAY)).order_by("pk")
    waiting = list(due.values_list("pk", flat=True)[:BATCH])
    if not waiting:
        return 0
    try:
        transport.open()
    except MailServerUnavailableError as away:
        logger.warning("the mail server is unavailable: %s", away)
        return 0
    try:
        return sum(_send_request(pk, due, transport, now) for pk in waiting)
    finally:
        transport.close()


def _send_request(pk: int, due: QuerySet[AccountMail], transport: MailTransport, now: datetime) -> bool:
    if not due.filter(pk=pk).update(claimed_at=now):
        return False  # claimed by another sender
    mail = AccountMail.objects.select_related("person").get(pk=pk)
    try:
        for message in emails_to_send(mail):
            transport.send(message)
    except MailRefusedError as refusal:
        logger.warning("the message %s about an account was refused: %s", pk, refusal)
        if not refusal.is_permanent:
            return False
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("sending the message %s about an account was interrupted: %s", pk, error)
        return False
    mail.delete()
    return True
