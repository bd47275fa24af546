"""Class membership. Only this module decides who may see content that is restricted to class members.

Other apps have a column with the class to which a row is restricted, and filter their queries with ``visible_to``.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from arena.accounts.models import User
from arena.accounts.permissions import Action, Capacity, Person, may
from arena.classes.models import CourseRole, Membership

_CAPACITIES = {CourseRole.STUDENT: Capacity.MEMBER, CourseRole.TEACHER: Capacity.TEACHER}


def capacities_in(person: Person, course_id: int) -> frozenset[Capacity]:
    """Return a person's roles in a class, such as teacher; empty for non-members. Runs one query."""
    if not isinstance(person, User):
        return frozenset()
    role = Membership.objects.filter(course_id=course_id, person_id=person.pk).values_list("role", flat=True).first()
    return frozenset() if role is None else frozenset({_CAPACITIES[CourseRole(role)]})


def visible_to(reader: Person, *, public: Q, course: str) -> Q:
    """Return a filter for rows that are ``public``, or whose ``course`` column is one of the reader's classes.

    Runs no additional query: membership is a subquery.
    """
    if may(reader, Action.SEE_CLASS):
        return Q()  # staff
    if not isinstance(reader, User) or not reader.is_active:
        return public
    return public | Q(**{f"{course}__in": Membership.objects.filter(person_id=reader.pk).values("course_id")})


def may_see_members_only(reader: Person, course_id: int) -> bool:
    """Return whether the reader is in the class or is staff."""
    return may(reader, Action.SEE_CLASS, held=capacities_in(reader, course_id))


def is_member(person_id: int, course_id: int | None) -> bool:
    """Return whether a person is in a class, in any role; False if there is no class."""
    return members_of(course_id).filter(person_id=person_id).exists()


def members_of(course_id: int | None) -> QuerySet[Membership, int]:
    """Return the ids of everyone in a class, in any role; empty if there is no class."""
    rows = Membership.objects.none() if course_id is None else Membership.objects.filter(course_id=course_id)
    return rows.values_list("person_id", flat=True)


def may_teach(person: User, course_id: int) -> bool:
    """Return whether a person may run a class and so organize its tournaments."""
    return may(person, Action.RUN_CLASS, held=capacities_in(person, course_id))
