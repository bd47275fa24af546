from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from arena.platform.live.testing import MemoryBroker


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """What is told live goes nowhere else."""
    from arena.platform.live.testing import captured  # tests of the rules need no Django

    with captured() as broker:
        yield broker
