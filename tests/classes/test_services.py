from __future__ import annotations

import random

import pytest

from arena.accounts.models import User
from arena.classes import services
from arena.classes.models import Course, CourseRole, Membership
from arena.classes.services import CoursePlan
from arena.platform.refusal import Refused
from tests.factories import person
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


def test_class_owner_is_the_first_teacher(course: Course, teacher: User) -> None:
    (membership,) = course.memberships.all()
    assert (membership.person, membership.role) == (teacher, CourseRole.TEACHER)


def test_joining_twice_creates_one_membership(course: Course) -> None:
    student = person()
    assert services.join(student, course.code) == (course, True)
    assert services.join(student, course.code) == (course, False)
    assert course.memberships.filter(person=student).get().role == CourseRole.STUDENT


def test_teacher_opening_the_join_link_stays_a_teacher(course: Course, teacher: User) -> None:
    services.join(teacher, course.code)
    assert course.memberships.get().role == CourseRole.TEACHER


def test_replaced_join_code_is_refused(course: Course) -> None:
    old = course.code
    changed = services.rotate_code(course.pk, rng=random.Random(2))
    assert changed.code != old
    with expect_refusal("join_code_changed"):
        services.join(person(), old)
    services.join(person(), changed.code)


def test_closed_class_refuses_joins_until_reopened(course: Course) -> None:
    services.set_joinable(course.pk, False)
    with pytest.raises(Refused):
        services.join(person(), course.code)
    services.set_joinable(course.pk, True)
    assert services.join(person(), course.code)[1]


def test_duplicate_join_code_is_regenerated(course: Course, teacher: User) -> None:
    # the same seed draws the same first code
    second = services.create(teacher, CoursePlan("AI 102"), rng=random.Random(1))
    assert second.code != course.code
    assert Course.objects.count() == 2


def test_leaving_or_removal_ends_the_membership(course: Course) -> None:
    one, other = person(), person()
    for student in (one, other):
        services.join(student, course.code)
    services.leave(one, course.pk)
    services.remove_member(course.pk, other.pk)
    assert not Membership.objects.filter(person__in=(one, other)).exists()


def test_owner_cannot_leave_or_be_removed(course: Course, teacher: User) -> None:
    for change in (
        lambda: services.leave(teacher, course.pk),
        lambda: services.remove_member(course.pk, teacher.pk),
        lambda: services.set_teacher(course.pk, teacher.pk, teacher=False),
    ):
        with pytest.raises(Refused):
            change()
    assert course.memberships.get().role == CourseRole.TEACHER


def test_member_can_be_promoted_and_demoted(course: Course) -> None:
    helper = person()
    services.join(helper, course.code)
    for is_teacher, role in ((True, CourseRole.TEACHER), (False, CourseRole.STUDENT)):
        services.set_teacher(course.pk, helper.pk, teacher=is_teacher)
        assert course.memberships.get(person=helper).role == role
    with expect_refusal("not_a_member"):
        services.set_teacher(course.pk, person().pk, teacher=True)
