"""Read-only queries about classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from arena.accounts.models import User
from arena.accounts.panels import Panels
from arena.accounts.permissions import Action, may
from arena.classes.join_codes import format_code
from arena.classes.models import Course, CourseRole, Membership

# Sections that higher-level apps add to a class page, by the class's id; mainly its tournaments.
course_panels: Panels[int] = Panels()


@dataclass(frozen=True, slots=True)
class CourseCard:
    """A class as its members see it; ``members`` is the number of its members."""

    id: int
    name: str
    owner: str
    owner_id: int
    members: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CourseDetail:
    """A class on its own page; ``code`` is for teachers only."""

    card: CourseCard
    code: str
    shown_code: str
    joinable: bool
    uploads_an_hour: int | None
    scrimmages_an_hour: int | None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person in a class."""

    id: int
    username: str
    role: str
    role_label: str
    is_owner: bool
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class MemberFilter:
    """The filter for the list of members; empty fields are ignored."""

    text: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class CourseFilter:
    """The filter for the list of classes; empty fields are ignored."""

    text: str = ""


def courses(chosen: CourseFilter, person: User) -> QuerySet[Course]:
    """Return a person's classes (all classes for staff) for a paginator; ``cards_of`` converts a page of them."""
    rows = Course.objects.all() if may(person, Action.SEE_CLASS) else Course.objects.filter(memberships__person=person)
    if chosen.text:
        rows = rows.filter(Q(name__icontains=chosen.text) | Q(owner__username__icontains=chosen.text))
    return rows.order_by("name", "pk")


def cards_of(rows: Iterable[Course]) -> list[CourseCard]:
    """Return the cards of these classes, in the same order. Runs one query."""
    order = [row.pk for row in rows]
    found = {
        row.pk: row
        for row in Course.objects.filter(pk__in=order).select_related("owner").annotate(n=Count("memberships"))
    }
    return [_card(found[pk], found[pk].n) for pk in order if pk in found]


def _card(row: Course, members: int) -> CourseCard:
    return CourseCard(row.pk, row.name, row.owner.username, row.owner_id, members, row.created_at)


def course_detail(course_id: int) -> CourseDetail | None:
    return _detail(Q(pk=course_id))


def course_by_code(code: str) -> CourseDetail | None:
    """Return the class with this join code; None if the code is invalid or disabled."""
    return _detail(Q(code=code, joinable=True)) if code else None


def _detail(which: Q) -> CourseDetail | None:
    row = Course.objects.filter(which).select_related("owner").first()
    if row is None:
        return None
    return CourseDetail(
        card=_card(row, row.memberships.count()),
        code=row.code,
        shown_code=format_code(row.code),
        joinable=row.joinable,
        uploads_an_hour=row.uploads_an_hour,
        scrimmages_an_hour=row.scrimmages_an_hour,
    )


def members(course_id: int, chosen: MemberFilter) -> QuerySet[Membership]:
    """Return members for a paginator, teachers first, then by name; ``member_rows`` converts a page of them."""
    rows = Membership.objects.filter(course_id=course_id)
    if chosen.role:
        rows = rows.filter(role=chosen.role)
    if chosen.text:
        rows = rows.filter(person__username__icontains=chosen.text)
    return rows.select_related("person", "course").order_by("-role", "person__username", "pk")


def member_rows(rows: Iterable[Membership]) -> list[MemberRow]:
    return [
        MemberRow(
            id=row.person_id,
            username=row.person.username,
            role=row.role,
            role_label=row.get_role_display(),
            is_owner=row.course.owner_id == row.person_id,
            joined_at=row.joined_at,
        )
        for row in rows
    ]


def courses_open_to_organizer(person: User) -> list[tuple[int, str]]:
    """Return the classes for which a person may organize tournaments, as (id, name).

    Staff get all classes; teachers get the classes they teach.
    """
    rows = Course.objects.all()
    if not may(person, Action.RUN_CLASS):
        rows = rows.filter(memberships__person=person, memberships__role=CourseRole.TEACHER)
    return list(rows.order_by("name", "pk").values_list("pk", "name"))
