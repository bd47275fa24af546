"""Ask for a message about an account. Who gets what is decided when it is sent, by ``letters``.

Invariant: asking does the same, and takes the same time, whether an address is known or not: it adds a row and wakes
the sender. So neither sign-up nor reset tells anybody who has an account.
"""

from __future__ import annotations

from django.db import transaction

from arena.accounts.models import AccountMail, AccountMailKind, User
from arena.accounts.waking import wake_sender


def ask_for_reset(address: str, *, language: str) -> None:
    """Write to every account with this address how to choose a new password."""
    _add(AccountMail(kind=AccountMailKind.RESET, address=address, language=language))


def ask_for_confirmation(person: User) -> None:
    """Write to the address that the person has named: with a link, or that it already has an account."""
    _add(AccountMail(kind=AccountMailKind.CONFIRM, address=person.unconfirmed_email, person=person))


def _add(mail: AccountMail) -> None:
    mail.save()
    transaction.on_commit(wake_sender, robust=True)
