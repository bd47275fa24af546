"""How much of a limit somebody has used, and when they can go on: the same words and times for every limit.

Two things count use: the rows that the work itself leaves (uploads, scrimmages, analyses, games, rooms), by
``HourlyUse.of``, and ``arena.accounts.throttle`` for what leaves none. Both name ``free_at``, the moment from which
there is room for one more. The hour is the last sixty minutes, so whoever has used up theirs gets one more an hour
after the first. Whoever counts rows holds the person's row, so that two clicks at once count as two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import ngettext

from arena.platform.refusal import LIMIT, Refused

HOUR: Final = timedelta(hours=1)
# After which time it is worth trying again where something that runs has to end first.
END_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class HourlyUse:
    """How much of an hour's work is used; ``free_at`` is when there is room for one more, None for now."""

    used: int
    limit: int
    free_at: datetime | None

    @classmethod
    def of(cls, newest_first: Sequence[datetime], limit: int, *, now: datetime) -> HourlyUse:
        """From the moments of past work, of which those older than an hour do not count."""
        within = [moment for moment in newest_first if moment > now - HOUR]
        return cls(len(within), limit, within[limit - 1] + HOUR if len(within) >= limit else None)

    @property
    def is_used_up(self) -> bool:
        return self.free_at is not None

    def check(self, sentence: str | Promise, *, now: datetime) -> None:
        """Raise Refused where the limit is used up. ``sentence``: "You have used all %(n)s uploads for this hour."."""
        if self.is_used_up:
            raise self.refusal(sentence, now=now)

    def refusal(self, sentence: str | Promise, *, now: datetime) -> Refused:
        """The sentence, and when one may go on."""
        said: Any = sentence  # translated now, if it is lazy
        text = f"{said % {'n': self.limit}} {self.wait(now=now)}".strip()
        return limit_reached(text, retry_after=max(1, self.retry_after(now=now)))

    def wait(self, *, now: datetime) -> str:
        """When one may go on, in the reader's language; "" for now."""
        if self.free_at is None:
            return ""
        minutes = max(1, -int((now - self.free_at).total_seconds() // 60))
        text = ngettext(
            "You can continue in %(n)s minute, at %(time)s.", "You can continue in %(n)s minutes, at %(time)s.", minutes
        )
        return text % {"n": minutes, "time": localtime(self.free_at).strftime("%H:%M %Z")}

    def retry_after(self, *, now: datetime) -> int:
        """The same in whole seconds, for the header ``Retry-After``; 0 for now."""
        return 0 if self.free_at is None else max(1, -int((now - self.free_at).total_seconds() // 1))


def limit_reached(text: str, *, retry_after: int = END_SECONDS) -> Refused:
    """A limit's refusal: of what may be done in an hour, or of what may run at one time."""
    return Refused(text, code=LIMIT, status=HTTPStatus.TOO_MANY_REQUESTS, retry_after=retry_after)
