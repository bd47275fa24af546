"""A game that is installed only through EXTRA_GAMES works in the terminal and in the check for game names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.referee.record import Record
from arena.core.referee.replay import verify
from tests.example_game.names import EXTRA_GAMES
from tests.example_game.playing import GAMES

ROOT = Path(__file__).resolve().parents[2]


def run_python(folder: Path, *arguments: str, expect: int = 0) -> str:
    """Run ``python -m …`` with the example game installed; check the exit status and return the output."""
    environment = {**os.environ, "EXTRA_GAMES": EXTRA_GAMES, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *arguments]
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == expect, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def test_bot_is_created_checked_played_and_replayed(tmp_path: Path) -> None:
    run_python(tmp_path, "bots", "new", "lanterns", "mine.py")
    assert "passed the check for lanterns" in run_python(tmp_path, "bots", "check", "mine.py", "--game", "lanterns")
    bots = ["mine.py", "house:random", "house:highest_first"]
    run_python(tmp_path, "bots", "play", "lanterns", *bots, "--seed", "4", "--record", "three.json")
    record = Record.from_json(json.loads((tmp_path / "three.json").read_text()))
    assert len(record.turns) == 3 * 5
    assert verify(record, GAMES) == []
    shown = run_python(tmp_path, "bots", "replay", "three.json")
    assert "5 nights; the first lantern gives" in shown
    assert "mine  lays" in shown
    repeated = run_python(tmp_path, "bots", "replay", "three.json", "mine.py", "--turn", "7", "--seat", "0")
    assert str(record.turns[6].moves[0].move) in repeated


@pytest.mark.long
def test_bot_plays_alone(tmp_path: Path) -> None:
    run_python(tmp_path, "bots", "play", "lanterns", "house:as_bright", "--record", "alone.json")
    record = Record.from_json(json.loads((tmp_path / "alone.json").read_text()))
    assert (len(record.seats), verify(record, GAMES)) == (1, [])


@pytest.mark.long
def test_illegal_move_is_explained(tmp_path: Path) -> None:
    (tmp_path / "ten.py").write_text("def get_move(state):\n    return 10\n")
    said = run_python(tmp_path, "bots", "check", "ten.py", "--game", "lanterns", expect=1)
    assert "candle 10 is not in your hand" in said


def test_game_name_check_covers_the_game(tmp_path: Path) -> None:
    """The game-name check finds the name of an installed game; ``make check`` runs it on the arena itself."""
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "home.html").write_text("<p>\n{% if game == 'lanterns' %}</p>\n")
    assert "templates/home.html:2: {% if game == 'lanterns' %}</p>" in run_python(
        ROOT, "tests.game_names", str(tmp_path), expect=1
    )


@pytest.mark.long
def test_environment_passes_the_checks_of_built_in_games(tmp_path: Path) -> None:
    assert run_python(tmp_path, "tests.bots.env.matches", "lanterns", "30").splitlines()[-1].startswith("30 matches, ")
