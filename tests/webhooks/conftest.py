"""Fixtures for webhook tests, with tournaments that the tests advance step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import memory_broker
from tests.tournaments.harness import TournamentHarness


@pytest.fixture
def stage(db: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Iterator[TournamentHarness]:
    with memory_broker() as broker:
        yield TournamentHarness(broker, django_capture_on_commit_callbacks)
