"""The environment of the test suite: nothing outside a temporary folder is read or written.

A pytest plugin loaded on the command line, because pytest-django reads the settings before any conftest.py. Tests
that use neither Django nor coroutines run even if the plugins for these are not installed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

VAR = tempfile.mkdtemp(prefix="arena-test-")
# The folder shared by all processes of a run: that of the process that starts the others.
RUN = os.environ.setdefault("ARENA_TEST_RUN", VAR)

# DATABASE_URL may remain set: Django creates a separate test database wherever it points.
for _name in ("ARENA_ENV", "REDIS_URL", "SANDBOX_MODE"):
    os.environ.pop(_name, None)
os.environ["ARENA_VAR"] = VAR
os.environ["DEBUG"] = "1"  # static files work without a collected manifest
# Every training process compiles the same functions; this cache compiles each only once per run.
os.environ["JAX_COMPILATION_CACHE_DIR"] = str(Path(RUN, "jax"))
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.2"

# Options that pyproject.toml sets for each plugin; without the plugin, pytest would report them as unknown.
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
