"""Fixtures: a worker that runs bots in rooms, and a fake clock for the worker and the rooms."""

from __future__ import annotations

import pytest

from tests.games.golden_point.rooms.bots.rooms_worker import RoomsClock, RoomsWorker


@pytest.fixture
def clock() -> RoomsClock:
    return RoomsClock()


@pytest.fixture
def worker(clock: RoomsClock) -> RoomsWorker:
    return RoomsWorker(clock)
