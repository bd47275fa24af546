"""The pinned requirements satisfy ``pyproject.toml`` and name no package index."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^ ;\\]+)", re.MULTILINE)
# The extras that `make lock` pins in each file; "" stands for the project's own dependencies.
LOCKS = {
    "requirements.txt": ("", "server"),
    "requirements-dev.txt": ("", "server", "s3", "env", "dev"),
    "requirements-training.txt": ("training",),
    "requirements-bots.txt": ("bot-libraries",),
    "requirements-s3.txt": ("s3",),
}


@pytest.mark.parametrize("lock", LOCKS)
def test_requirements_are_pinned_to_allowed_versions(lock: str) -> None:
    """Requirements match pyproject.toml; if this test fails, run `make lock`."""
    text = (ROOT / lock).read_text()
    pinned = {canonicalize_name(found["name"]): found["version"] for found in PINNED.finditer(text)}
    wanted = [Requirement(line) for extra in LOCKS[lock] for line in _required_packages(extra)]
    assert wanted
    unmet = [
        str(one)
        for one in wanted
        if (one.marker is None or one.marker.evaluate())
        and ((version := pinned.get(canonicalize_name(one.name))) is None or version not in one.specifier)
    ]
    assert unmet == []


@pytest.mark.parametrize("lock", LOCKS)
def test_requirements_name_no_package_index(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "--hash=sha256:" in text
    assert re.findall(r"https?://\S+|^--?(?:index-url|extra-index-url|find-links|i|f)\b.*", text, re.MULTILINE) == []


def _required_packages(extra: str) -> list[str]:
    found: list[str] = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    return found
