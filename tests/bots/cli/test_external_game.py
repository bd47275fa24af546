"""The command line works with a game whose packages are outside this project."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXTERNAL = Path(__file__).parent / "external"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs ``python -m bots`` in an empty folder."""
    path = os.pathsep.join([str(ROOT), str(EXTERNAL)])
    environment = {**os.environ, "PYTHONPATH": path, "EXTRA_GAMES": "lanterns.arena=lanterns.bots"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-B", "-m", "bots", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.mark.long
def test_starter_and_script_are_created_checked_and_watched(run: Run) -> None:
    assert run("new", "lanterns", "mine.py").returncode == 0
    assert run("new", "lanterns", "script.py", "--script", "lines").returncode == 0
    assert run("check", "mine.py", "--game", "lanterns").returncode == 0
    assert "It plays as a script of lanterns." in run("check", "script.py", "--game", "lanterns").stdout
    played = run("play", "lanterns", "mine.py", "script.py", "house:steady", "--watch", "--record", "r.json")
    assert (played.returncode, played.stderr) == (0, "")
    assert "** *** *\n" in played.stdout
    assert "** *** *\n" in run("replay", "r.json").stdout


@pytest.mark.long
def test_single_seat_match_is_played(run: Run) -> None:
    played = run("play", "lanterns", "house:steady")
    assert (played.returncode, played.stderr) == (0, "")
    assert "house:steady 3 (completed, 3 turns, random seed 0)" in played.stdout


@pytest.mark.long
def test_answers_rejected_by_the_adapter_use_the_games_wording(run: Run, tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text("def get_move(oil): return 'many'\n", encoding="utf-8")
    played = run("play", "lanterns", "words.py")
    assert played.returncode == 1
    assert "a number of lanterns is expected, not 'many'" in played.stderr


@pytest.mark.long
def test_commands_and_programs_of_the_game_are_found(run: Run) -> None:
    assert "dusk" in run("--help").stdout
    assert run("dusk").stdout == "It is dusk.\n"
    assert run("solve", "lanterns", "--all").stdout == run("solve", "lanterns", "oil", "--all").stdout == "ten --all\n"
    refused = run("solve", "reversi")
    assert refused.returncode == 2
    assert refused.stderr.endswith(" [no_program]\n")


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux")
def test_match_is_played_in_the_jail(run: Run) -> None:
    assert run("new", "lanterns", "mine.py").returncode == 0
    played = run("play", "lanterns", "mine.py", "house:steady", "--jail")
    assert (played.returncode, played.stderr) == (0, "")
    assert "mine 6" in played.stdout


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux")
def test_jail_contains_only_the_sdk_of_a_game(run: Run, tmp_path: Path) -> None:
    tries = ["lanterns.arena", "lanterns.bots.house", "lanterns.bots.starter", "bots.reversi.house", "bots.cli"]
    source = (
        "import importlib, lanterns.bots.sdk\n"
        f"for name in {tries}:\n"
        "    try:\n        importlib.import_module(name)\n        print('there is', name)\n"
        "    except ModuleNotFoundError:\n        print('no', name)\n"
        "def get_move(oil): return 0\n"
    )
    (tmp_path / "looks.py").write_text(source, encoding="utf-8")
    played = run("play", "lanterns", "looks.py", "--jail", "--log")
    assert played.returncode == 0, played.stderr
    assert [line for line in played.stdout.splitlines() if line in {f"no {name}" for name in tries}] == [
        f"no {name}" for name in tries
    ]
