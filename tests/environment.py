"""The environment of the suite: nothing outside a folder of its own is read or written.

A plugin that pytest is told to load on its command line: pytest-django reads the settings before any conftest.py.
"""

from __future__ import annotations

import os
import shutil
import tempfile

VAR = tempfile.mkdtemp(prefix="arena-test-")

# DATABASE_URL may stay: Django makes a database of its own for tests, wherever it is.
for _name in ("ARENA_ENV", "REDIS_URL", "SANDBOX_MODE"):
    os.environ.pop(_name, None)
os.environ["ARENA_VAR"] = VAR
os.environ["DEBUG"] = "1"  # static files without a collected manifest


def pytest_unconfigure() -> None:
    shutil.rmtree(VAR, ignore_errors=True)
