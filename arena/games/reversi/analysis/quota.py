"""Limit how many analyses one person can request per hour, and how many can be unfinished at a time.

Staff are exempt.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.quotas import is_exempt
from arena.games.reversi.analysis.models import Analysis, AnalysisStatus
from arena.platform.quota import HOUR, HourlyUse, limit_reached


def hourly_use(person: User, *, now: datetime) -> HourlyUse | None:
    """Return how much of the hourly limit a person has used; None if there is no limit. Runs one query."""
    if is_exempt(person):
        return None
    limit = settings.ANALYSES_AN_HOUR
    rows = Analysis.objects.filter(requested_by=person, requested_at__gt=now - HOUR).order_by("-requested_at")
    return HourlyUse.from_times(list(rows.values_list("requested_at", flat=True)[:limit]), limit, now=now)


def check_quota(person: User, *, now: datetime) -> None:
    """Raise Refused if a limit is reached; the caller must hold the lock on the person's row."""
    use = hourly_use(person, now=now)
    if use is None:
        return
    unfinished = (AnalysisStatus.WAITING, AnalysisStatus.RUNNING)
    if Analysis.objects.filter(requested_by=person, status__in=unfinished).count() >= settings.UNFINISHED_ANALYSES:
        raise limit_reached(
            _("%(n)s of your analyses are still running. Wait for one to finish.") % {"n": settings.UNFINISHED_ANALYSES}
        )
    text = _("You have reached the hourly analysis limit (%(n)s).")
    use.check(text, now=now)
