"""The sandbox of a worker that is not root, and of one that may not have namespaces."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[2]
SOMEBODY = 65_533


def as_somebody() -> dict[str, Any]:
    """Arguments that make a subprocess an ordinary user's."""
    return {"user": SOMEBODY, "group": SOMEBODY, "extra_groups": []} if os.geteuid() == 0 else {}


@pytest.fixture(scope="module")
def python() -> str:
    """An interpreter that an ordinary user can run: root's own may be out of reach."""
    question = [
        "-I",
        "-c",
        "import os, sys; sys.exit(sys.version_info < (3, 11) or not os.access(os.__file__, os.R_OK))",
    ]
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            if subprocess.run([candidate, *question], cwd="/", check=False, **as_somebody()).returncode == 0:
                return candidate
        except OSError:
            continue
    pytest.skip("no Python that an ordinary user can run")


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    """What the script needs, where everybody can read it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copy.chmod(0o755)
        ignore = shutil.ignore_patterns("__pycache__", "test_*")
        for package in ("arena/sandbox", "tests/sandbox"):
            shutil.copytree(ROOT / package, copy / package, ignore=ignore)
        for name in ("arena/__init__.py", "tests/__init__.py"):
            (copy / name).touch()
        yield copy


def visit(python: str, checkout: Path, *arguments: str) -> dict[str, Any]:
    command = [python, "-B", str(checkout / "tests/sandbox/elsewhere.py"), *arguments]
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        command, cwd="/", env=environment, capture_output=True, text=True, check=False, timeout=60, **as_somebody()
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_namespaces_without_root(python: str, checkout: Path) -> None:
    told = visit(python, checkout, "namespaces")
    assert told == {
        "escapes": [],
        "inside": 1000,
        "kernel_uid": SOMEBODY if os.geteuid() == 0 else os.getuid(),
        "ended": "killed",
        "crashed": "crashed",
        "socket": "PermissionError 1",
        "host_file": "FileNotFoundError 2",
        "signal": "PermissionError 1",
        "fork": "PermissionError 1",
    }


@pytest.mark.parametrize("mode", ["auto", "namespaces"])
def test_refuses_where_namespaces_are_denied(python: str, checkout: Path, mode: str) -> None:
    told = visit(python, checkout, mode, "deny")
    assert set(told["missing"]) == {"user_namespaces", "namespaces", "mounts"}
    assert "apparmor_restrict_unprivileged_userns" in told["missing"]["user_namespaces"]


def test_landlock_alone_where_it_is_named(python: str, checkout: Path) -> None:
    told = visit(python, checkout, "landlock", "deny")
    if "missing" in told:
        assert set(told["missing"]) == {"landlock_scopes"}, "a kernel before 6.12"
        return
    assert told["escapes"] == []
    assert (told["ended"], told["crashed"]) == ("killed", "crashed")
    assert told["socket"] == told["signal"] == told["fork"] == "PermissionError 1"
    assert told["host_file"] == "PermissionError 13"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to begin with")
def test_a_bot_of_root_is_not_root(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests/sandbox/elsewhere.py"), "namespaces"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
    assert told["kernel_uid"] == 60_000
    assert told["escapes"] == []
