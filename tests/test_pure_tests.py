"""Tests of the core and of the rules run without the site's dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SITE = ("django", "celery", "channels", "redis", "pytest_django", "pytest_asyncio", "xdist", "playwright")
RULES = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/games/*/test_rules.py"))
PYTEST = f"import sys; sys.modules.update(dict.fromkeys({SITE})); import pytest; sys.exit(pytest.main(sys.argv[1:]))"


def run(*arguments: str) -> None:
    command = [sys.executable, "-c", PYTEST, "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-5_000:]


@pytest.mark.long
def test_core_tests_run_without_the_site() -> None:
    run("tests/core/ranking/test_rating.py", "tests/core/referee/test_dice.py")


@pytest.mark.long
def test_core_and_rules_tests_load_without_the_site() -> None:
    assert len(RULES) >= 4
    run("--collect-only", "tests/core", *RULES)
