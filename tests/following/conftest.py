"""Tournaments that these tests advance step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import memory_broker
from tests.tournaments.stage import Stage


@pytest.fixture
def stage(db: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Iterator[Stage]:
    with memory_broker() as broker:
        yield Stage(broker, django_capture_on_commit_callbacks)
