"""Compute how much of a limit a person has used and when they can continue. All limits share the same wording.

Use is counted in two ways. ``HourlyUse.from_times`` counts the rows that the work creates, such as uploads and
scrimmages. A ``LeakyBucket`` counts work that creates no rows; its caller stores the state in the database
(``arena.accounts.throttle``) or in memory. Both provide ``free_at``, the time from which one more action is allowed.
Capacity returns gradually. Callers that count rows lock the person's row, so that two simultaneous clicks count as two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from math import ceil
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from arena.platform.refusal import LIMIT, Refused

HOUR: Final = timedelta(hours=1)
# Retry delay if something that is running has to end first.
END_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class LeakyBucket:
    """A bucket that permits ``limit`` actions at once, and one more each time 1/``limit`` of the window has passed.

    This is the generic cell rate algorithm; the state of a bucket is the time at which it will be empty.
    """

    limit: int
    window: timedelta

    @property
    def interval(self) -> timedelta:
        """Return the time in which one action leaks out of the bucket."""
        return timedelta(microseconds=self.window // timedelta(microseconds=1) // self.limit)

    def free_at(self, empty_at: datetime) -> datetime:
        """Return the time from which the bucket has room for one more action."""
        return empty_at + self.interval - self.window

    def used(self, empty_at: datetime, *, now: datetime) -> int:
        """Return how many past actions are still in the bucket."""
        return min(self.limit, ceil((empty_at - now) / self.interval))


@dataclass(frozen=True, slots=True)
class HourlyUse:
    """The use of an hourly limit so far.

    ``free_at``: when one more action is allowed; None if it is allowed now.
    """

    used: int
    limit: int
    free_at: datetime | None

    @classmethod
    def from_times(cls, newest_first: Sequence[datetime], limit: int, *, now: datetime) -> HourlyUse:
        """Return how much of the limit is used up by actions at these times; actions over an hour old do not count."""
        within = [moment for moment in newest_first if moment > now - HOUR]
        return cls(len(within), limit, within[limit - 1] + HOUR if len(within) >= limit else None)

    @property
    def is_used_up(self) -> bool:
        return self.free_at is not None

    def check(self, sentence: str | Promise, *, now: datetime) -> None:
        """Raise Refused if the limit has been reached.

        ``sentence``: the message for the person, such as "You have reached the hourly upload limit (%(n)s)."
        """
        if self.is_used_up:
            raise self.refusal(sentence, now=now)

    def refusal(self, sentence: str | Promise, *, now: datetime) -> Refused:
        """Return the refusal: the message to show, and when the person can continue."""
        template: Any = sentence  # translate lazy texts now
        parts = {"limit": template % {"n": self.limit}, "wait": self.wait(now=now)}
        text = (gettext("%(limit)s %(wait)s") % parts).strip()
        return limit_reached(text, retry_after=max(1, self.retry_after(now=now)))

    def wait(self, *, now: datetime) -> str:
        """Return a message, in the reader's language, that says when they can continue; "" if they can continue now."""
        if self.free_at is None:
            return ""
        minutes = max(1, -int((now - self.free_at).total_seconds() // 60))
        text = ngettext(
            "You can continue in %(n)s minute, at %(time)s.", "You can continue in %(n)s minutes, at %(time)s.", minutes
        )
        return text % {"n": minutes, "time": localtime(self.free_at).strftime("%H:%M %Z")}

    def retry_after(self, *, now: datetime) -> int:
        """Return the wait in whole seconds, for the ``Retry-After`` header; 0 if no wait is needed."""
        return 0 if self.free_at is None else max(1, -int((now - self.free_at).total_seconds() // 1))


def limit_reached(text: str, *, retry_after: int = END_SECONDS) -> Refused:
    """Return a refusal with this text, for an hourly limit or a concurrency limit that has been reached."""
    return Refused(text, code=LIMIT, status=HTTPStatus.TOO_MANY_REQUESTS, retry_after=retry_after)
