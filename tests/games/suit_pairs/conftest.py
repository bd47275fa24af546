from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from arena.platform.live.testing import MemoryBroker


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """Yield an in-memory broker that captures all live events."""
    from arena.platform.live.testing import memory_broker  # imported here because tests of the rules need no Django

    with memory_broker() as broker:
        yield broker
