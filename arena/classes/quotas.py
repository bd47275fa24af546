"""Limit the work that one student may request per hour.

Rules: staff and house bots are exempt. If a student's classes set limits, the most generous one applies, otherwise the
site's own. The window is the last sixty minutes, so capacity returns gradually. Callers that count rows lock the
person's row, so that two simultaneous clicks count as two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings

from arena.accounts.models import HOUSE_USERNAME, User
from arena.classes.models import CourseRole, Membership


class LimitedWork(StrEnum):
    """The kinds of work that are limited; each value names the ``Course`` column that contains its limit."""

    UPLOADS = "uploads_an_hour"
    SCRIMMAGES = "scrimmages_an_hour"


@dataclass(frozen=True, slots=True)
class Limits:
    """The site's own hourly limits, which a class can override."""

    uploads: int
    scrimmages: int


def site_limits() -> Limits:
    return Limits(settings.UPLOADS_AN_HOUR, settings.SCRIMMAGES_AN_HOUR)


def is_exempt(person: User) -> bool:
    """Return whether the person is exempt from the limits."""
    return person.is_staff or person.username == HOUSE_USERNAME


def limit_of(person: User, work: LimitedWork) -> int | None:
    """Return the person's hourly limit for this work; None means unlimited. Runs at most one query."""
    if is_exempt(person):
        return None
    limits = Membership.objects.filter(person=person, role=CourseRole.STUDENT).values_list(f"course__{work}", flat=True)
    own: int | None = max((limit for limit in limits if limit is not None), default=None)
    if own is not None:
        return own
    sites = site_limits()
    return sites.uploads if work is LimitedWork.UPLOADS else sites.scrimmages


def lock_person(person_id: int) -> User:
    """Return the person with their row locked until the commit, so that simultaneous requests are all counted."""
    return User.objects.select_for_update().get(pk=person_id)
