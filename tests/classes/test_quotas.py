from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from arena.accounts.models import User
from arena.accounts.services import house_account
from arena.classes import services
from arena.classes.models import Course
from arena.classes.quotas import LimitedWork, limit_of
from arena.platform.quota import HourlyUse
from tests.factories import person

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def minutes_ago(*minutes: int) -> list[datetime]:
    return [NOON - timedelta(minutes=each) for each in sorted(minutes)]


@pytest.mark.parametrize(
    ("minutes", "used", "free_in"),
    [((), 0, None), ((10, 20), 2, None), ((10, 20, 50), 3, 10), ((1, 2, 3, 40), 4, 57), ((10, 20, 60, 90), 2, None)],
)
def test_hourly_use_counts_the_last_sixty_minutes(minutes: tuple[int, ...], used: int, free_in: int | None) -> None:
    use = HourlyUse.from_times(minutes_ago(*minutes), 3, now=NOON)
    assert use.used == used
    assert use.free_at == (None if free_in is None else NOON + timedelta(minutes=free_in))
    assert use.is_used_up is (free_in is not None)


def test_quota_message_says_when_to_continue() -> None:
    assert HourlyUse.from_times(minutes_ago(1), 2, now=NOON).wait(now=NOON) == ""
    wait = HourlyUse.from_times(minutes_ago(48), 1, now=NOON).wait(now=NOON)
    assert re.search(r"\b12 minutes.*\b12:12 UTC\b", wait)
    use = HourlyUse.from_times(minutes_ago(59), 1, now=NOON)
    assert re.search(r"\b1 minute\b.*\b12:01 UTC\b", use.wait(now=NOON + timedelta(seconds=50)))


@pytest.fixture
def student(course: Course) -> User:
    made = person()
    services.join(made, course.code)
    return made


def set_upload_limit(course: Course, uploads: int | None) -> None:
    services.change_settings(course.pk, services.CoursePlan(course.name, uploads))


def test_class_limits_apply_to_its_students(course: Course, student: User, settings: Settings) -> None:
    settings.UPLOADS_AN_HOUR, settings.SCRIMMAGES_AN_HOUR = 30, 60
    assert limit_of(student, LimitedWork.UPLOADS) == 30
    set_upload_limit(course, 5)
    assert (limit_of(student, LimitedWork.UPLOADS), limit_of(student, LimitedWork.SCRIMMAGES)) == (5, 60)
    assert limit_of(person(), LimitedWork.UPLOADS) == 30, "nobody else's"
    assert limit_of(course.owner, LimitedWork.UPLOADS) == 30, "not its teacher's"


def test_most_generous_class_limit_applies(course: Course, student: User, teacher: User) -> None:
    set_upload_limit(course, 5)
    for seed, uploads in ((2, 9), (3, None)):
        other = services.create(teacher, services.CoursePlan("Another", uploads), rng=random.Random(seed))
        services.join(student, other.code)
    assert limit_of(student, LimitedWork.UPLOADS) == 9


def test_staff_and_the_house_account_are_exempt(course: Course) -> None:
    set_upload_limit(course, 1)
    staff = person(is_staff=True)
    services.join(staff, course.code)
    for work in LimitedWork:
        assert limit_of(staff, work) is None
        assert limit_of(house_account(), work) is None
