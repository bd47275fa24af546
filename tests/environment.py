"""The environment of the suite: nothing outside a folder of its own is read or written.

A plugin that pytest is told to load on its command line: pytest-django reads the settings before any conftest.py.
Tests without Django and coroutines run where pytest has no plugins for these.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

VAR = tempfile.mkdtemp(prefix="arena-test-")
# The folder that all processes of a run share: that of the one which starts the others.
RUN = os.environ.setdefault("ARENA_TEST_RUN", VAR)

# DATABASE_URL may stay: Django makes a database of its own for tests, wherever it is.
for _name in ("ARENA_ENV", "REDIS_URL", "SANDBOX_MODE"):
    os.environ.pop(_name, None)
os.environ["ARENA_VAR"] = VAR
os.environ["DEBUG"] = "1"  # static files without a collected manifest
# Each process that trains compiles the same functions; a run compiles each once and keeps it for the others.
os.environ["JAX_COMPILATION_CACHE_DIR"] = str(Path(RUN, "jax"))
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.2"

# What pyproject.toml sets for each plugin: without the plugin, pytest takes these names for mistakes.
_OPTIONS = {
    "pytest_django": ("DJANGO_SETTINGS_MODULE",),
    "pytest_asyncio": ("asyncio_mode", "asyncio_default_fixture_loop_scope"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    for plugin, names in _OPTIONS.items():
        if not find_spec(plugin):
            for name in names:
                parser.addini(name, f"read by {plugin}, which is not installed")


def pytest_unconfigure() -> None:
    shutil.rmtree(VAR, ignore_errors=True)
