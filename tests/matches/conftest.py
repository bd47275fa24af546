from collections.abc import Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, memory_broker


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """Yield an in-memory broker that captures all live events."""
    with memory_broker() as broker:
        yield broker
