"""Notifications of authors about their bots in rooms."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.notifications.kinds import NotificationKind
from arena.notifications.texts import Context, Text


def _bot_fell_out(context: Context) -> Text:
    """``bot``, ``room`` (its name, "" without one), ``number``, and the id of the ``seat``."""
    room = context["room"] or _("Room %(number)s") % context
    return Text(
        _("%(bot)s dropped out of %(room)s") % {"bot": context["bot"], "room": room},
        _("Its page shows why, and what the bot printed. Fix the bot, then seat it again."),
        reverse("room-seat-report", args=[context["seat"]]),
    )


BOT_FELL_OUT: Final = NotificationKind("bot_fell_out", gettext_lazy("Your bot dropped out of a room"), _bot_fell_out)
