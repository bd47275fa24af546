from collections.abc import Iterator

import pytest

from arena.platform.live.testing import MemoryBroker, captured


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """What is told live goes nowhere else."""
    with captured() as broker:
        yield broker
