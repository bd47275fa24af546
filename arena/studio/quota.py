"""Limit how many draft matches one person may run per hour. Staff are exempt; other matches do not count.

All matches of an unfinished run count, so that nobody can start more than the limit allows. Once it has ended,
only the matches that were played count, but at least one does: even a cancelled run has kept a worker busy.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext

from arena.accounts.models import User
from arena.classes.quotas import is_exempt
from arena.platform.quota import HOUR, HourlyUse
from arena.studio.models import UNFINISHED, Run


def hourly_use_of(person: User, *, now: datetime) -> HourlyUse | None:
    """Return how much of a person's hourly limit is used; None if there is no limit. Runs one query."""
    if is_exempt(person):
        return None
    limit: int = settings.RUN_MATCHES_AN_HOUR
    rows = Run.objects.filter(person=person, created_at__gt=now - HOUR).order_by("-created_at")
    runs = rows.values_list("created_at", "status", "games", "results")[:limit]
    moments = [
        at
        for at, status, games, results in runs
        for _ in range(games if status in UNFINISHED else max(1, len(results)))
    ]
    return HourlyUse.from_times(moments[:limit], limit, now=now)


def check_hourly_limit(person: User, *, now: datetime) -> None:
    """Raise Refused if the limit has been reached; the caller must hold the lock on the person's row."""
    use = hourly_use_of(person, now=now)
    if use is not None:
        text = gettext("You have reached the hourly limit for studio matches (%(n)s).")
        use.check(text, now=now)
