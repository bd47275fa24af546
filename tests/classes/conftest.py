from __future__ import annotations

import random

import pytest

from arena.accounts.models import Role, User
from arena.classes import services
from arena.classes.models import Course
from tests.factories import person


@pytest.fixture
def teacher(db: None) -> User:
    return person("teacher", Role.ORGANIZER)


@pytest.fixture
def course(teacher: User) -> Course:
    return services.create(teacher, services.CoursePlan("AI 101"), rng=random.Random(1))
