"""How many analyses one person may ask for: in an hour, and unfinished at one time. Staff are exempt."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.models import User
from arena.accounts.usage import HOUR, HourlyUse
from arena.classes.quotas import is_exempt
from arena.games.reversi.analysis.models import Study, StudyStatus


class AnalysisRefused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why an analysis is not made, in the reader's language; says what to do next."""


def use_of(person: User, *, now: datetime) -> HourlyUse | None:
    """How many of their hour's analyses somebody has asked for; None where nothing limits them. One query."""
    if is_exempt(person):
        return None
    limit = settings.ANALYSES_AN_HOUR
    rows = Study.objects.filter(requested_by=person, requested_at__gt=now - HOUR).order_by("-requested_at")
    return HourlyUse.of(list(rows.values_list("requested_at", flat=True)[:limit]), limit, now=now)


def check(person: User, *, now: datetime) -> None:
    """Raises AnalysisRefused where the person has to wait; decides only for a caller who holds the person's row."""
    use = use_of(person, now=now)
    if use is None:
        return
    unfinished = (StudyStatus.WAITING, StudyStatus.RUNNING)
    if Study.objects.filter(requested_by=person, status__in=unfinished).count() >= settings.UNFINISHED_ANALYSES:
        raise AnalysisRefused(
            _("%(n)s of your analyses have not ended. Wait for one of them.") % {"n": settings.UNFINISHED_ANALYSES}
        )
    if use.is_used_up:
        text = ngettext(
            "You have asked for %(n)s analysis within the hour, and more is not possible.",
            "You have asked for %(n)s analyses within the hour, and more is not possible.",
            use.limit,
        )
        raise AnalysisRefused(use.refusal(text, now=now))
