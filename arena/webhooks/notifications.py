"""Notify owners when the arena disables their webhooks."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.notifications.kinds import NotificationKind
from arena.notifications.services import notify
from arena.notifications.texts import Context, NotificationText
from arena.webhooks.models import Webhook

_CODE: Final = "webhook_off"


def notify_disabled(webhook_id: int, *, now: datetime) -> None:
    """Notify the owner in the transaction that disables the webhook."""
    webhook = Webhook.objects.get(pk=webhook_id)
    context = {"webhook": webhook_id, "host": urlsplit(webhook.url).hostname or ""}
    notify(_CODE, [webhook.owner_id], context, event=f"webhook/{webhook_id}/disabled/{int(now.timestamp())}")


def _text(context: Context) -> NotificationText:
    return NotificationText(
        _("Your webhook to %(host)s was turned off") % context,
        _("Deliveries failed; the log shows why. Once your receiver works again, turn the webhook back on."),
        reverse("webhook", args=[context["webhook"]]),
    )


DISABLED: Final = NotificationKind(_CODE, gettext_lazy("Your webhook was turned off after failures"), _text)
