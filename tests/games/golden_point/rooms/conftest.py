from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.games.golden_point.rooms.program import Clock, Program


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Use English, because an earlier test may have left the thread in Chinese."""
    with translation.override("en"):
        yield


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def program(clock: Clock, db: None) -> Program:
    return Program(clock)
