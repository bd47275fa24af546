from collections.abc import Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, captured


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """Yield an in-memory broker that captures all live events."""
    with captured() as broker:
        yield broker
