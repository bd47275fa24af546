"""How much work one person may give to the workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from arena.submissions.models import Submission, SubmissionStatus

HOUR = timedelta(hours=1)


class QuotaExceeded(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why an upload has to wait, in the reader's language; says what to do next."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Uploads in an hour, and checks of one person that may be unfinished at one time."""

    an_hour: int
    unfinished: int

    def check(self, person_id: int, *, now: datetime) -> None:
        """Raises QuotaExceeded when the person has used it up."""
        mine = Submission.objects.filter(bot__owner_id=person_id)
        if mine.filter(uploaded_at__gt=now - HOUR).count() >= self.an_hour:
            raise QuotaExceeded(
                _("You have uploaded %(n)s times within the hour. Try again in a while.") % {"n": self.an_hour}
            )
        self.check_unfinished(person_id)

    def check_unfinished(self, person_id: int) -> None:
        waiting = (SubmissionStatus.WAITING, SubmissionStatus.CHECKING)
        if Submission.objects.filter(bot__owner_id=person_id, status__in=waiting).count() >= self.unfinished:
            raise QuotaExceeded(
                _("%(n)s of your uploads are still being checked. Wait for one of them to end.")
                % {"n": self.unfinished}
            )


def everybodys() -> Quota:
    """The quota of the site's settings."""
    return Quota(settings.UPLOADS_AN_HOUR, settings.UNFINISHED_CHECKS)


# The arena's own bots come all at once.
UNLIMITED = Quota(10**9, 10**9)
