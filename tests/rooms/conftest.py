import pytest

from tests.rooms.program import Clock, Program


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def program(clock: Clock, db: None) -> Program:
    return Program(clock)
