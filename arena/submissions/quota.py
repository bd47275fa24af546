"""Limit a person's load on the workers: uploads per hour, and checks pending at any one time.

The hourly limit comes from arena.classes.quotas. Staff and house bots have no limits.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.quotas import LimitedWork, limit_of
from arena.platform.quota import HOUR, HourlyUse, limit_reached
from arena.submissions.models import Submission, SubmissionStatus


def hourly_use_of(person: User, *, now: datetime) -> HourlyUse | None:
    """Return how much of the hourly upload limit the person has used; None if they have no limit. Runs two queries."""
    limit = limit_of(person, LimitedWork.UPLOADS)
    if limit is None:
        return None
    rows = Submission.objects.filter(bot__owner=person, uploaded_at__gt=now - HOUR).order_by("-uploaded_at")
    return HourlyUse.from_times(list(rows.values_list("uploaded_at", flat=True)[:limit]), limit, now=now)


def check_limits(person: User, *, now: datetime) -> None:
    """Raise Refused if the person has reached a limit; the caller must hold a lock on the person's row."""
    use = hourly_use_of(person, now=now)
    if use is None:
        return
    text = _("You have reached the hourly upload limit (%(n)s).")
    use.check(text, now=now)
    check_unfinished(person)


def check_unfinished(person: User) -> None:
    """Raise Refused if the person has too many unfinished checks."""
    if limit_of(person, LimitedWork.UPLOADS) is None:
        return
    waiting = (SubmissionStatus.WAITING, SubmissionStatus.CHECKING)
    if Submission.objects.filter(bot__owner=person, status__in=waiting).count() >= settings.UNFINISHED_CHECKS:
        raise limit_reached(
            _("%(n)s of your uploads are still being checked. Wait for one to finish.")
            % {"n": settings.UNFINISHED_CHECKS}
        )
