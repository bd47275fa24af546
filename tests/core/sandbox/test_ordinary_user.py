"""The sandbox confines bots even if the worker is not root, and even without namespaces."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.core.sandbox.config import Mode
from tests.core.sandbox.configs import MODES, skip_unless_available, why_unavailable
from tests.core.sandbox.jailed_bots import LIBRARIES
from tests.core.sandbox.pythons import (
    ORDINARY_USER,
    python_for_everybody,
    readable_by_everybody,
    unprivileged_user_arguments,
)

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[3]
NEEDED = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments", "msgspec")
COPIED = (
    "arena/core",
    "arena/games",
    "bots",
    "tests/bots/sdk/scripts",
    "tests/core/referee",
    "tests/core/sandbox",
)
PYTEST_INI = """[pytest]
markers =
    sandbox
    long
filterwarnings = error
addopts = -q -ra -m sandbox -p no:cacheprovider --strict-markers
"""


@pytest.fixture(scope="module")
def python() -> str:
    found = python_for_everybody()
    if found is None:
        pytest.skip("no Python that an ordinary user can run")
    return str(found)


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    """Yield a copy of everything that the tests run as an ordinary user, in a place that every user can read."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copy.chmod(0o755)
        ignore = shutil.ignore_patterns("__pycache__")
        for package in COPIED:
            shutil.copytree(ROOT / package, copy / package, ignore=ignore)
        for name in (
            "arena/__init__.py",
            "tests/__init__.py",
            "tests/bots/__init__.py",
            "tests/bots/sdk/__init__.py",
            "tests/core/__init__.py",
        ):
            (copy / name).touch()
        (copy / "pytest.ini").write_text(PYTEST_INI)
        for package in NEEDED:
            there = Path(importlib.import_module(package).__file__ or "")
            if there.name == "__init__.py":
                shutil.copytree(there.parent, copy / "packages" / package, ignore=ignore)
            else:
                shutil.copy(there, copy / "packages")
        if LIBRARIES.is_dir() and readable_by_everybody(LIBRARIES):
            (copy / "build").mkdir()
            (copy / "build" / "bot-libraries").symlink_to(LIBRARIES)
        yield copy


# These test files switch to an ordinary user themselves.
NOT_AGAIN = ("test_ordinary_user.py", "test_confined.py")
TABLES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "tests" / "core" / "sandbox").rglob("test_*.py")
    if "mark.sandbox" in path.read_text(encoding="utf-8") and path.name not in NOT_AGAIN
)
# Root already runs the referee's tables in both modes. These tables depend on what an ordinary user can measure of a
# bot, for which one mode is enough; the others depend on the protocol alone.
MEASURED = tuple(
    f"tests/core/referee/test_{name}.py" for name in ("busy_machine", "course_scripts", "jailed_memory", "jailed_time")
)


def selected_files(mode: Mode) -> list[str]:
    """Return the test files to run in this mode."""
    return [*TABLES, *(MEASURED if mode is MODES[-1] else ())]


@pytest.fixture(scope="module")
def table_runs(python: str, checkout: Path) -> Iterator[dict[Mode, subprocess.Popen[str]]]:
    """Run the test files as an ordinary user in each available mode; they run in parallel, because they mostly wait."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(checkout / "packages"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    with ExitStack() as stack:
        running = {}
        for mode in MODES:
            if why_unavailable(mode):
                continue
            said = stack.enter_context((checkout / f"{mode}.txt").open("w"))
            process = subprocess.Popen(
                [python, "-B", "-m", "pytest", *selected_files(mode)],
                cwd=checkout,
                env={**environment, "SANDBOX_TEST_MODE": mode},
                stdout=said,
                stderr=subprocess.STDOUT,
                text=True,
                **unprivileged_user_arguments(),
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            running[mode] = process
        yield running


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.skipif(os.geteuid() != 0, reason="the whole run is an ordinary user's already")
def test_hostile_bots_are_contained_without_root(
    checkout: Path, table_runs: dict[Mode, subprocess.Popen[str]], mode: Mode
) -> None:
    """The other tests in this folder pass as an ordinary user; in one mode, so do four of the referee's test files."""
    skip_unless_available(mode)
    status = table_runs[mode].wait(timeout=1800)
    said = (checkout / f"{mode}.txt").read_text()
    assert status == 0, said[-20_000:]
    passed = re.search(r"(\d+) passed", said)
    assert passed is not None
    assert int(passed[1]) > 330, said


def visit(python: str, checkout: Path, *arguments: str) -> dict[str, Any]:
    """Run ``sandbox_report.py`` as an ordinary user and return its report."""
    command = [python, "-B", str(checkout / "tests/core/sandbox/sandbox_report.py"), *arguments]
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        command,
        cwd="/",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        **unprivileged_user_arguments(),
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_namespaces_without_root(python: str, checkout: Path) -> None:
    report = visit(python, checkout, "namespaces")
    assert report == {
        "escapes": [],
        "inside": 1000,
        "kernel_uid": ORDINARY_USER if os.geteuid() == 0 else os.getuid(),
        "ended": "killed",
        "crashed": "crashed",
        "socket": "PermissionError 1",
        "host_file": "FileNotFoundError 2",
        "signal": "PermissionError 1",
        "fork": "PermissionError 1",
        "scratch": True,
        "write": "done",
    }


@pytest.mark.long
@pytest.mark.parametrize("mode", ["auto", "namespaces"])
def test_refuses_where_namespaces_are_denied(python: str, checkout: Path, mode: str) -> None:
    report = visit(python, checkout, mode, "deny")
    assert set(report["missing"]) == {"user_namespaces", "namespaces", "mounts"}
    assert "apparmor_restrict_unprivileged_userns" in report["missing"]["user_namespaces"]


@pytest.mark.long
def test_explicit_landlock_mode_works_without_namespaces(python: str, checkout: Path) -> None:
    report = visit(python, checkout, "landlock", "deny")
    if "missing" in report:
        assert set(report["missing"]) == {"landlock_scopes"}, "a kernel before 6.12"
        return
    assert report["escapes"] == []
    assert (report["ended"], report["crashed"]) == ("killed", "crashed")
    assert report["socket"] == report["signal"] == report["fork"] == "PermissionError 1"
    assert report["host_file"] == "PermissionError 13"
    assert (report["scratch"], report["write"]) == (True, "done")


@pytest.mark.long
def test_folder_without_enforceable_limits_is_read_only(python: str, checkout: Path) -> None:
    """If a container profile denies openat2, as old ones do, the folder is read-only and the self-test passes."""
    skip_unless_available(Mode.LANDLOCK)
    report = visit(python, checkout, "landlock", "deny-openat2")
    assert report["escapes"] == []
    assert (report["scratch"], report["write"]) == (False, "PermissionError 13")


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to begin with")
def test_capabilities_of_the_worker_are_dropped(python: str, checkout: Path, mode: Mode) -> None:
    skip_unless_available(mode)
    command = [python, "-B", str(checkout / "tests/core/sandbox/sandbox_report.py"), mode, "capability"]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["all"] == []
    assert "outside" in report["without"]


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to begin with")
def test_bot_of_a_root_worker_is_not_root(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests/core/sandbox/sandbox_report.py"), "namespaces"]
    report = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
    assert report["kernel_uid"] >= 60_000  # a separate user, if root may map many
    assert report["escapes"] == []
