"""Deliver emails to the mail server, and classify its failures.

The sender must know whether an email may have been sent. Rejections, which mean that it was not sent, are therefore
distinguished from all other failures.
"""

from __future__ import annotations

import smtplib
from typing import Any, Protocol

from django.core.mail import EmailMessage, get_connection

_FIRST_PERMANENT = 500  # RFC 5321, section 4.2.1: 4yz means try again, 5yz do not


class MailServerUnavailableError(Exception):
    """Raised if there is no connection; nothing was sent."""


class MailRefusedError(Exception):
    """Raised if the server rejected this email; ``is_permanent``: whether retrying is pointless."""

    def __init__(self, reason: str, *, is_permanent: bool) -> None:
        super().__init__(reason)
        self.is_permanent = is_permanent


class MailTransport(Protocol):
    """A connection for several emails, closed afterwards."""

    def open(self) -> None:
        """Open the connection. Raises MailServerUnavailableError."""

    def send(self, message: EmailMessage) -> None:
        """Send an email. Raises MailRefusedError; any other exception leaves it unknown whether the email was sent."""

    def close(self) -> None: ...


class DjangoTransport:
    """The transport configured by EMAIL_BACKEND: an SMTP server, or files."""

    def __init__(self, connection: Any = None) -> None:
        self._connection = connection or get_connection()

    def open(self) -> None:
        try:
            self._connection.open()
        except (OSError, smtplib.SMTPException) as error:
            raise MailServerUnavailableError(str(error)) from error

    def send(self, message: EmailMessage) -> None:
        try:
            self._connection.send_messages([message])
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            raise MailRefusedError(str(error), is_permanent=min(codes) >= _FIRST_PERMANENT) from error
        except smtplib.SMTPResponseException as error:
            raise MailRefusedError(str(error), is_permanent=error.smtp_code >= _FIRST_PERMANENT) from error

    def close(self) -> None:
        self._connection.close()
