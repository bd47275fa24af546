from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.core.sandbox.config import SandboxConfig
from tests.core.sandbox.configs import MODES, available_config


@pytest.fixture(scope="session", params=MODES)
def config(request: pytest.FixtureRequest) -> Iterator[SandboxConfig]:
    """Provide the configuration of each mode in turn, even in quick runs, because each mode isolates differently."""
    with available_config(request.param) as found:
        yield found
