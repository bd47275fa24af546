"""Messages about accounts, sent as the worker does it."""

from __future__ import annotations

import re

from django.core import mail
from django.core.mail import EmailMessage

from arena.notifications import tasks


def sent() -> list[EmailMessage]:
    """Send what waits; what is new in the outbox."""
    before = len(mail.outbox)
    tasks.send()
    return list(mail.outbox[before:])


def path_in(message: EmailMessage, part: str) -> str:
    """The path of the link in a message whose address holds ``part``."""
    found = re.search(rf"https?://[^/\s]+(\S*{part}\S*)", str(message.body))
    assert found, message.body
    return found[1]
