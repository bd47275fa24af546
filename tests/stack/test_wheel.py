"""The local runner works when installed from a wheel in an environment that contains only its one dependency."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.cli.libraries import permitted_libraries
from tests.source_copy import copy_sources

pytestmark = pytest.mark.stack

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a function that runs the environment's interpreter in an empty folder."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "empty").mkdir()
    python = install_wheel(build_wheel(folder), folder / "venv")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(python), "-I", *arguments]
        return subprocess.run(command, cwd=folder / "empty", capture_output=True, text=True, timeout=50, check=False)

    return run


def build_wheel(folder: Path) -> Path:
    sources = folder / "sources"
    copy_sources(sources)
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(sources))
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_wheel(wheel: Path, environment: Path) -> Path:
    """Create an environment with the wheel and a copy of the installed msgspec; return the path of its Python."""
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    pip("--python", str(python), "install", "--no-deps", "--no-index", str(wheel))
    library = next(environment.glob("lib/python*/site-packages"))
    for part in Path(sysconfig.get_path("platlib")).glob("msgspec*"):
        shutil.copytree(part, library / part.name)
    return python


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr


def test_wheel_depends_only_on_msgspec(run: Run) -> None:
    shown = run(
        "-c", "import importlib.metadata as m; print([one for one in m.requires('bot-arena') if ';' not in one])"
    )
    assert shown.stdout == "['msgspec>=0.20']\n"
    assert "No module named 'django'" in run("-c", "import django").stderr


def test_starter_is_written_checked_and_played(run: Run) -> None:
    for game, opponent in (
        ("reversi", "house:most_discs"),
        ("golden_point", "house:trend"),
        ("suit_pairs", "house:greedy"),
    ):
        bot = f"{game}_bot.py"
        assert run("-m", "bots", "new", game).returncode == 0
        checked = run("-m", "bots", "check", bot, "--game", game)
        assert (checked.returncode, checked.stderr) == (0, "")
        played = run(
            "-m", "bots", "play", game, bot, opponent, "--matches", "4", "--seed", "1", "--record", f"{game}.json"
        )
        assert (played.returncode, played.stderr) == (0, "")
        assert "interval" in played.stdout
        assert run("-m", "bots", "replay", f"{game}-1.json").returncode == 0
        assert run("-m", "bots", "replay", f"{game}-1.json", bot, "--turn", "1", "--seat", "0").returncode == 0


def test_notebook_reads_a_match_record(run: Run) -> None:
    text = "round,Ann,Bob,Cleo\\n1,20,30,90\\n2,20,25,11\\n"
    reads = f"import pathlib; pathlib.Path('g.csv').write_text('{text}'); from bots.notebook import golden_point as g; "
    shown = run("-c", f"{reads}match = g.read('g.csv'); print(match.scores(), match.regret('Ann'))")
    assert (shown.stdout, shown.stderr) == ("{'Bob': 1, 'Cleo': 1, 'Ann': 0} [3, 6]\n", "")


def test_runner_knows_the_libraries_of_the_arena(run: Run) -> None:
    shown = run("-c", "from bots.cli.libraries import permitted_libraries; print(permitted_libraries())")
    assert shown.stdout == f"{permitted_libraries()}\n"


@pytest.mark.sandbox
def test_jail_works_from_the_wheel(run: Run) -> None:
    played = run("-m", "bots", "play", "reversi", "house:corners", "house:random_move", "--jail")
    assert (played.returncode, played.stderr) == (0, "")
