"""How much work one person may give to the workers: uploads in an hour, and checks that wait at one time.

The hour's limit is that of arena.classes.quotas, which staff and the house do not have; nor do they have the other.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.models import User
from arena.accounts.usage import HOUR, HourlyUse
from arena.classes.quotas import Work, limit_of
from arena.submissions.models import Submission, SubmissionStatus


class QuotaExceeded(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why an upload has to wait, in the reader's language; says what to do next."""


def use_of(person: User, *, now: datetime) -> HourlyUse | None:
    """How much of their hour's uploads somebody has made; None where nothing limits them. Two queries."""
    limit = limit_of(person, Work.UPLOADS)
    if limit is None:
        return None
    rows = Submission.objects.filter(bot__owner=person, uploaded_at__gt=now - HOUR).order_by("-uploaded_at")
    return HourlyUse.of(list(rows.values_list("uploaded_at", flat=True)[:limit]), limit, now=now)


def check(person: User, *, now: datetime) -> None:
    """Raises QuotaExceeded where the person has to wait; decides only for a caller who holds the person's row."""
    use = use_of(person, now=now)
    if use is None:
        return
    if use.is_used_up:
        text = ngettext(
            "You have uploaded %(n)s time within the hour, and more is not possible.",
            "You have uploaded %(n)s times within the hour, and more is not possible.",
            use.limit,
        )
        raise QuotaExceeded(use.refusal(text, now=now))
    check_unfinished(person)


def check_unfinished(person: User) -> None:
    """Raises QuotaExceeded where too many checks of the person's uploads have not ended."""
    if limit_of(person, Work.UPLOADS) is None:
        return
    waiting = (SubmissionStatus.WAITING, SubmissionStatus.CHECKING)
    if Submission.objects.filter(bot__owner=person, status__in=waiting).count() >= settings.UNFINISHED_CHECKS:
        raise QuotaExceeded(
            _("%(n)s of your uploads are still being checked. Wait for one of them to end.")
            % {"n": settings.UNFINISHED_CHECKS}
        )
