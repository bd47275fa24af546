"""Render a notification as an email in its recipient's language."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import translation

from arena.notifications.kinds import notification_text
from arena.notifications.models import Notification
from arena.notifications.unsubscription import Unsubscription, unsubscribe_path


def email_of(notification: Notification) -> EmailMessage:
    """Return a plain-text email with an unsubscribe link (RFC 2369) that works with one click (RFC 8058)."""
    person = notification.recipient
    with translation.override(person.language or settings.LANGUAGE_CODE):
        text = notification_text(notification.kind, notification.context)
        off = settings.SITE_URL + unsubscribe_path(Unsubscription(person.pk, notification.kind))
        body = render_to_string(
            "notifications/mail.txt",
            {"name": person.username, "text": text, "url": settings.SITE_URL + text.path, "off": off},
        )
    return EmailMessage(
        subject=text.title,
        body=body,
        to=[person.email],
        headers={
            "Message-ID": f"<notification-{notification.pk}@{urlsplit(settings.SITE_URL).hostname}>",
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
