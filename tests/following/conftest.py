"""Tournaments that these tests advance step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import captured
from tests.tournaments.stage import Stage


@pytest.fixture
def stage(db: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Iterator[Stage]:
    with captured() as broker:
        yield Stage(broker, django_capture_on_commit_callbacks)
