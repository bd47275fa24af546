from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.tournaments.harness import TournamentHarness


@pytest.fixture(autouse=True)
def broker() -> Iterator[MemoryBroker]:
    """Yield an in-memory broker that captures live events."""
    with memory_broker() as broker:
        yield broker


@pytest.fixture
def stage(
    db: None, broker: MemoryBroker, django_capture_on_commit_callbacks: Callable[..., object]
) -> TournamentHarness:
    return TournamentHarness(broker, django_capture_on_commit_callbacks)
