"""Create and change classes and their membership.

Invariants: join codes are unique; the owner of a class is always one of its teachers; joining locks the class, so that
nobody can join with a code that is being changed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.classes.join_codes import new_code
from arena.classes.models import Course, CourseRole, Membership
from arena.platform.live.revocation import revoke
from arena.platform.refusal import Refused

# A second attempt is almost never needed; a fifth one means that the generator is broken.
DRAWS = 5


@dataclass(frozen=True, slots=True)
class CoursePlan:
    """A teacher's settings for a class; a limit of None means the site's own limit."""

    name: str
    uploads_an_hour: int | None = None
    scrimmages_an_hour: int | None = None


def create(owner: User, plan: CoursePlan, *, rng: random.Random) -> Course:
    """Create a class with a new code; its owner is its first teacher."""
    with transaction.atomic():
        course = Course(
            owner=owner,
            name=plan.name,
            uploads_an_hour=plan.uploads_an_hour,
            scrimmages_an_hour=plan.scrimmages_an_hour,
        )
        _save_with_new_code(course, rng)
        Membership.objects.create(course=course, person=owner, role=CourseRole.TEACHER)
    return course


def change_settings(course_id: int, plan: CoursePlan) -> None:
    """Change the name and the limits of a class."""
    Course.objects.filter(pk=course_id).update(
        name=plan.name,
        uploads_an_hour=plan.uploads_an_hour,
        scrimmages_an_hour=plan.scrimmages_an_hour,
    )


def rotate_code(course_id: int, *, rng: random.Random) -> Course:
    """Replace the join code; the old code and link become invalid. Members are kept."""
    with transaction.atomic():
        course = Course.objects.select_for_update().get(pk=course_id)
        _save_with_new_code(course, rng)
    return course


def _save_with_new_code(course: Course, rng: random.Random) -> None:
    """Save the class with a new, unique code."""
    for draw in range(DRAWS):
        course.code = new_code(rng)
        try:
            with transaction.atomic():
                course.save()
        except IntegrityError:
            if draw == DRAWS - 1:
                raise
        else:
            return


def set_joinable(course_id: int, joinable: bool) -> None:
    """Enable or disable the join code."""
    Course.objects.filter(pk=course_id).update(joinable=joinable)


def join(person: User, code: str) -> tuple[Course, bool]:
    """Add the person to the class with this code. Raises Refused.

    Return the class and whether the membership is new.
    """
    with transaction.atomic():
        # Held until the commit, so that nobody can join with a code that is being changed.
        course = Course.objects.select_for_update().filter(code=code, joinable=True).first()
        if course is None:
            raise Refused(
                _("This join code no longer works. Ask your teacher for the current one."), code="join_code_changed"
            )
        _membership, joined = Membership.objects.get_or_create(course=course, person=person)
    return course, joined


def leave(person: User, course_id: int) -> None:
    """Remove a person from a class at their own request. Raises Refused for the owner: a class must have one."""
    _delete_membership(
        course_id,
        person.pk,
        _("You own this class, so you cannot leave it. To stop new members from joining, close the class."),
    )


def remove_member(course_id: int, person_id: int) -> None:
    """Remove a member. Raises Refused for the owner.

    The person can rejoin with the join code until it is rotated.
    """
    _delete_membership(
        course_id, person_id, _("The owner of a class cannot be removed from it. Choose another member.")
    )


def _delete_membership(course_id: int, person_id: int, refusal: str) -> None:
    if Course.objects.filter(pk=course_id, owner_id=person_id).exists():
        raise Refused(refusal, code="must_stay")
    Membership.objects.filter(course_id=course_id, person_id=person_id).delete()


def set_teacher(course_id: int, person_id: int, *, teacher: bool) -> None:
    """Make a member a teacher, or a student again. Raises Refused for the owner and for non-members."""
    role = CourseRole.TEACHER if teacher else CourseRole.STUDENT
    if Course.objects.filter(pk=course_id, owner_id=person_id).exists():
        raise Refused(_("The owner of a class must remain a teacher. Choose another member."), code="owner_teaches")
    if not Membership.objects.filter(course_id=course_id, person_id=person_id).update(role=role):
        raise Refused(_("This person is no longer in the class. Reload the page."), code="not_a_member")
    revoke(people=[person_id])
