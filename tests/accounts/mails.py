"""Helpers that send account emails as the worker does, and read their links."""

from __future__ import annotations

import re

from django.core import mail
from django.core.mail import EmailMessage

from arena.notifications import tasks


def send_queued_mails() -> list[EmailMessage]:
    """Send the queued account emails and return the new messages in the outbox."""
    before = len(mail.outbox)
    tasks.send()
    return list(mail.outbox[before:])


def linked_path(message: EmailMessage, part: str) -> str:
    """In a message, find the first link whose path contains ``part``; return that path."""
    found = re.search(rf"https?://[^/\s]+(\S*{part}\S*)", str(message.body))
    assert found, message.body
    return found[1]
