"""With only Docker's default permissions, as in docker-compose.yml, Landlock works and namespaces are refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.core.sandbox.__main__ import FAILED, PASSED
from arena.core.sandbox.config import Mode
from tests.core.sandbox.configs import skip_unless_available
from tests.core.sandbox.pythons import python_for_everybody

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[3]


@pytest.fixture
def app(public_path: Path) -> Path:
    """Return a folder that every user can read, with a copy of the sandbox package and its tests."""
    for package in ("arena/core/sandbox", "tests/core/sandbox"):
        shutil.copytree(ROOT / package, public_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for module in ("memory_layout", "messages"):
        shutil.copy(ROOT / f"arena/core/{module}.py", public_path / "arena/core")
    for name in ("arena/__init__.py", "tests/__init__.py"):
        (public_path / name).touch()
    return public_path


def status(app: Path, mode: Mode) -> subprocess.CompletedProcess[str]:
    python = python_for_everybody()
    if python is None:
        pytest.skip("no Python that an ordinary user can run")
    script = str(app / "tests/core/sandbox/container.py")
    command = [
        str(python),
        "-B",
        script,
        str(app),
        str(python),
        "-B",
        "-m",
        "arena.core.sandbox",
        "status",
        "--mode",
        mode,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env={"LANG": "C.UTF-8"})


@pytest.mark.long
def test_landlock_needs_no_further_permissions(app: Path) -> None:
    skip_unless_available(Mode.LANDLOCK)
    done = status(app, Mode.LANDLOCK)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == PASSED
    assert "no  user_namespaces   (not needed) PermissionError" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.NAMESPACES])
def test_namespaces_are_refused_with_the_way_to_grant_them(app: Path, mode: Mode) -> None:
    done = status(app, mode)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == FAILED
    assert "NO  user_namespaces   PermissionError: [Errno 1]" in done.stdout
    for advice in (
        "Docker: `--security-opt seccomp=docker/seccomp-worker.json --security-opt apparmor=unconfined`",
        "Podman: ",
        "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`",
        "`SANDBOX_MODE=landlock`",
    ):
        assert advice in " ".join(done.stdout.split())
