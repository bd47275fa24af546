from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox.config import SandboxConfig
from arena.sandbox.forkserver import ForkServer
from tests.sandbox.cells import LIBRARIES

HARNESS = Path(__file__).parent / "harness"


@pytest.fixture(scope="session")
def config() -> SandboxConfig:
    libraries = (LIBRARIES,) if LIBRARIES.is_dir() else ()
    return SandboxConfig(libraries, HARNESS, entry="outer.inner.echo:main", preload=("numpy", "numpy.random"))


@pytest.fixture(scope="session")
def fork_server(config: SandboxConfig) -> Iterator[ForkServer]:
    """One for all tests: that is how a worker uses it."""
    with ForkServer(config) as server:
        yield server


@pytest.fixture(scope="session")
def machine() -> str:
    return platform.machine()
