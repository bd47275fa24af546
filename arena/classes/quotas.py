"""Limit the work that one student may request in an hour.

Rules: staff and the house are exempt. Where classes in which somebody is a student set a limit, the most generous of
these holds; where none does, the site's own. The hour is the last sixty minutes, so that whoever has used up theirs
gets one more an hour after the first. Whoever counts holds the person's row, so that two clicks at once count as two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings

from arena.accounts.models import HOUSE_USERNAME, User
from arena.classes.models import CourseRole, Membership


class Work(StrEnum):
    """What is limited; the value is the column of a class."""

    UPLOADS = "uploads_an_hour"
    SCRIMMAGES = "scrimmages_an_hour"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the site allows everybody in an hour."""

    uploads: int
    scrimmages: int


def sites_limits() -> Limits:
    return Limits(settings.UPLOADS_AN_HOUR, settings.SCRIMMAGES_AN_HOUR)


def is_exempt(person: User) -> bool:
    """Whether nothing limits the person."""
    return person.is_staff or person.username == HOUSE_USERNAME


def limit_of(person: User, work: Work) -> int | None:
    """How much of it the person may do in an hour, in at most one query; None where nothing limits them."""
    if is_exempt(person):
        return None
    limits = Membership.objects.filter(person=person, role=CourseRole.STUDENT).values_list(f"course__{work}", flat=True)
    own: int | None = max((limit for limit in limits if limit is not None), default=None)
    if own is not None:
        return own
    sites = sites_limits()
    return sites.uploads if work is Work.UPLOADS else sites.scrimmages


def hold(person_id: int) -> User:
    """The person, whose row is held until the commit: nobody else counts their work meanwhile.

    SQLite has no row locks; there every transaction that writes is alone from its beginning.
    """
    return User.objects.select_for_update().get(pk=person_id)
