from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.tournaments.stage import Stage


@pytest.fixture(autouse=True)
def broker() -> Iterator[MemoryBroker]:
    """Capture live events in memory."""
    with memory_broker() as broker:
        yield broker


@pytest.fixture
def stage(db: None, broker: MemoryBroker, django_capture_on_commit_callbacks: Callable[..., object]) -> Stage:
    return Stage(broker, django_capture_on_commit_callbacks)
