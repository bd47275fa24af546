"""The commands of the training page work as printed, from installation to bots that can be uploaded.

There is no package index to install from, so the new environment uses the libraries of this one; the arena's own wheel
is built and installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.pages.training_page import code_blocks, train_page
from tests.source_copy import copy_sources

ROOT = Path(__file__).resolve().parents[3]
# The packages that the commands install; setuptools builds the wheel.
LIBRARIES = ("setuptools", "jax", "optax", "pettingzoo", "gymnasium", "numpy", "msgspec")
MISSING = [name for name in ("jax", "optax") if find_spec(name) is None]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not found; install with: pip install jax optax"),
]


def folder_of(library: str) -> str:
    """Return the folder where a library is installed."""
    found = find_spec(library)
    assert found is not None
    assert found.origin is not None
    return str(Path(found.origin).parents[1])


@pytest.fixture(scope="module")
def training_run(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: object) -> tuple[Path, str]:
    """Run the commands with fewer updates and matches; return the folder that they ran in and their output."""
    folder = tmp_path_factory.mktemp("learning") / "arena"
    folder.mkdir()
    copy_sources(folder)
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        commands = "\n".join(code_blocks(train_page("suit_pairs"), "shell"))
    # Limit updates instead of minutes, so that the trained network does not depend on the machine's load.
    shorter, changed = re.subn(r"--minutes 5\b", "--updates 8", commands)
    assert changed == 1
    shorter, changed = re.subn(r"--minutes 10\b", "--updates 2 --games 16 --minibatch 512 --pairs 8", shorter)
    assert changed == 1
    # Each match starts 20 processes. Two matches show that a bot plays; more are needed only to measure strength.
    shorter, changed = re.subn(r"(/bot\.zip house:\w+) --matches 20\b", r"\1 --matches 2", shorter)
    assert changed == 1
    shorter, changed = re.subn(r"(suit_pairs\.zip house:\w+) --matches 20\b", r"\1 --matches 6", shorter)
    assert changed == 1
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "DJANGO_"))},
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(map(folder_of, LIBRARIES))),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "JAX_PLATFORMS": "cpu",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", shorter],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,  # only against hanging: a slow machine needs more than ten minutes
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder, done.stdout


def test_archive_contains_bot_encoding_and_weights(training_run: tuple[Path, str]) -> None:
    folder, _ = training_run
    with zipfile.ZipFile(folder / "suit_pairs.zip") as archive:
        assert sorted(archive.namelist()) == ["encoding.py", "main.py", "weights.npz"]


def test_trained_bot_passes_the_check_and_beats_random_play(training_run: tuple[Path, str]) -> None:
    _, printed = training_run
    assert "suit_pairs passed the check for suit_pairs." in printed
    won = re.search(r"^suit_pairs +(\d+) +(\d+) +(\d+) ", printed, re.MULTILINE)
    assert won, printed
    assert int(won[1]) >= 5, printed  # of 6; the network has learned for only a few updates


def test_bot_trained_on_compiled_rules_passes_the_check_and_plays(training_run: tuple[Path, str]) -> None:
    _, printed = training_run
    assert "bot passed the check for suit_pairs." in printed
    assert re.search(r"^bot +\d+ +\d+ +\d+ ", printed, re.MULTILINE), printed


@pytest.mark.sandbox
def test_trained_bot_plays_in_the_jail(training_run: tuple[Path, str]) -> None:
    """A trained bot plays a match in the jail, where numpy is the only library that it can import."""
    folder, _ = training_run
    bots = [str(folder / "suit_pairs.zip"), "house:random_action"]
    command = [sys.executable, "-m", "bots", "play", "suit_pairs", *bots, "--jail", "--set", "deals=1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "completed" in done.stdout
