"""Queue account emails and wake their sender. The recipients are determined when an email is sent.

Invariant: for known and unknown addresses, a request does the same work and takes the same time: it adds a row and
wakes the sender. So neither sign-up nor a reset reveals who has an account.
"""

from __future__ import annotations

from django.db import transaction

from arena.accounts.models import AccountMail, AccountMailKind, User
from arena.celery import Queue
from arena.platform.jobs.dispatcher import wake_worker

SEND_TASK = "arena.notifications.tasks.send"


def queue_reset(address: str, *, language: str) -> None:
    """Queue a password reset for every account with this address."""
    _queue(AccountMail(kind=AccountMailKind.RESET, address=address, language=language))


def queue_confirmation(person: User) -> None:
    """Queue a confirmation for the person's claimed address.

    The email contains a link, or says that the address already has an account.
    """
    _queue(AccountMail(kind=AccountMailKind.CONFIRM, address=person.unconfirmed_email, person=person))


def _queue(mail: AccountMail) -> None:
    mail.save()
    transaction.on_commit(wake_sender, robust=True)


def wake_sender() -> None:
    """Wake the mail worker; if the broker is unavailable, the next sweep sends the email."""
    wake_worker(SEND_TASK, queue=Queue.MAIL.value)
