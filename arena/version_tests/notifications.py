"""Notify the author that a version test has ended."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.notifications.kinds import NotificationKind
from arena.notifications.services import notify
from arena.notifications.texts import Context, NotificationText
from arena.version_tests.models import VersionTest, VersionTestStatus
from arena.version_tests.texts import sentence

_CODE: Final = "version_test"


def notify_author(test_id: int) -> None:
    """Notify the author in the transaction that ends the test, unless the author cancelled it."""
    test = VersionTest.objects.select_related("bot", "new", "old").get(pk=test_id)
    context = {
        "bot": test.bot.name,
        "bot_id": test.bot_id,
        "number": test.number,
        "new": test.new.number,
        "old": test.old.number,
        "status": test.status,
        "verdict": test.verdict,
    }
    if test.status != VersionTestStatus.CANCELLED:
        notify(_CODE, [test.author_id], context, event=f"version-test/{test_id}/ended")


def _text(context: Context) -> NotificationText:
    return NotificationText(
        _("%(bot)s: the test of v%(new)s against v%(old)s has ended") % context,
        sentence(context["status"], context["verdict"], context["new"], context["old"]),
        reverse("version-test", args=[context["bot_id"], context["number"]]),
    )


ENDED: Final = NotificationKind(_CODE, gettext_lazy("Your version test has ended"), _text)
