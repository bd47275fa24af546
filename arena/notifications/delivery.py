"""Send the emails in the outbox.

Invariants: no transaction is open while an email is sent; only the sender that claimed an email sends it (see
``Outbox``); an email that may have been sent is not sent again, so that nobody gets it twice; an email that was
certainly not sent is retried for up to a day.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import datetime, timedelta

from arena.accounts.outbox import wake_sender
from arena.notifications.emails import email_of
from arena.notifications.models import Channel, Mail, MailStatus, Notification, NotificationOptOut
from arena.notifications.transport import MailRefusedError, MailServerUnavailableError, MailTransport
from arena.platform.outbox import Outbox

logger = logging.getLogger(__name__)

# Pauses after temporary rejections; a rejection after the last pause is final.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
OUTAGE_PAUSE = timedelta(minutes=1)
# Emails not sent within this time are abandoned.
EXPIRES_AFTER = timedelta(days=1)
# Emails per connection: few, so that a task does not reach its time limit even if the server is slow.
BATCH = 50
# A sender that has not finished after this long is assumed to have died.
LOST = timedelta(minutes=10)
OUTBOX = Outbox(Mail, MailStatus.WAITING, MailStatus.SENDING, lost_after=LOST)


def send_due(transport: MailTransport, *, now: datetime) -> int:
    """Send the emails that are due; return how many were sent."""
    _give_up_on_mails(now)
    due = OUTBOX.due_rows(now).order_by("due_at", "pk")
    if not due.exists():
        return 0
    try:
        transport.open()
    except MailServerUnavailableError as away:
        logger.warning("the mail server is unavailable: %s", away)
        due.update(due_at=now + OUTAGE_PAUSE)
        return 0
    sent = 0
    try:
        for pk in list(due.values_list("pk", flat=True)[:BATCH]):
            if OUTBOX.claim(pk, now=now):
                sent += _send_email(pk, transport, now)
    finally:
        transport.close()
    if due.exists():
        wake_sender()
    return sent


def _send_email(pk: int, transport: MailTransport, now: datetime) -> bool:
    mail = Mail.objects.select_related("notification__recipient").get(pk=pk)
    if not _is_wanted(mail.notification):
        _store_outcome(mail, MailStatus.DROPPED, now)
        return False
    try:
        transport.send(email_of(mail.notification))
    except MailRefusedError as refusal:
        _store_refusal(mail, refusal, now)
        return False
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("sending mail %s was interrupted: %s", pk, error)
        _store_outcome(mail, MailStatus.UNCERTAIN, now, str(error))
        return False
    _store_outcome(mail, MailStatus.SENT, now)
    return True


def _is_wanted(notification: Notification) -> bool:
    """Return whether the recipient still has an address and wants such emails."""
    person = notification.recipient
    muted = NotificationOptOut.objects.filter(person=person, kind=notification.kind, channel=Channel.EMAIL)
    return person.is_active and bool(person.email) and not muted.exists()


def _store_refusal(mail: Mail, refusal: MailRefusedError, now: datetime) -> None:
    if refusal.is_permanent or mail.attempts > len(PAUSES):
        logger.warning("mail %s was refused: %s", mail.pk, refusal)
        _store_outcome(mail, MailStatus.FAILED, now, str(refusal))
        return
    OUTBOX.postpone(mail, now + PAUSES[mail.attempts - 1], failure=str(refusal)[:300])


def _store_outcome(mail: Mail, status: MailStatus, now: datetime, failure: str = "") -> None:
    OUTBOX.claimed_row(mail).update(status=status, ended_at=now, failure=failure[:300])


def _give_up_on_mails(now: datetime) -> None:
    """Give up on overdue emails, and on those whose sender died."""
    Mail.objects.filter(status=MailStatus.WAITING, notification__created_at__lt=now - EXPIRES_AFTER).update(
        status=MailStatus.FAILED, ended_at=now, failure="not accepted by the mail server within a day"
    )
    abandoned = OUTBOX.abandoned_rows(now)
    if abandoned.update(status=MailStatus.UNCERTAIN, ended_at=now, failure="the sender died while sending"):
        logger.warning("emails whose sender died are not sent again")
