from __future__ import annotations

import dataclasses
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.sandbox.config import SandboxConfig
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.configs import MODE_PARAMS, available_config
from tests.core.sandbox.temporary_control_group import temporary_control_group


@pytest.fixture(scope="session", params=MODE_PARAMS)
def config(request: pytest.FixtureRequest) -> Iterator[SandboxConfig]:
    """Provide the configuration of each mode in turn; the quick tests run in one mode only."""
    with available_config(request.param) as found:
        yield found


@pytest.fixture(scope="session")
def fork_server(config: SandboxConfig) -> Iterator[ForkServer]:
    """Yield one fork server for all tests of a mode, as a worker uses one for all matches."""
    with ForkServer(config) as server:
        yield server


@pytest.fixture
def granted() -> Iterator[Path]:
    """Provide a control group like one that an operator grants to the worker."""
    with temporary_control_group() as group:
        yield group


@pytest.fixture
def server_with_groups(config: SandboxConfig, granted: Path) -> Iterator[ForkServer]:
    """Yield a fork server whose bots have control groups."""
    with ForkServer(dataclasses.replace(config, cgroup=str(granted))) as server:
        yield server


@pytest.fixture
def public_path() -> Iterator[Path]:
    """Provide a new folder that every user of the machine can read, unlike pytest's temporary folders."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="session")
def machine() -> str:
    return platform.machine()
