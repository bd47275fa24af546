"""The local runner works without Unix-only features and without a jail, as on Windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PLAYS = "class AIPlayer:\n  def __init__(self, c): self.c = c\n  def get_move(self, board): return next("
PLAYS += "board.get_legal_actions(self.c))\n"


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Return environment variables with which Python runs without Unix-only features."""
    site = tmp_path / "site"
    site.mkdir()
    shutil.copy(ROOT / "tests" / "bots" / "cli" / "bare_system.py", site / "sitecustomize.py")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_interpreter_lacks_unix_modules(bare: dict[str, str], tmp_path: Path) -> None:
    shown = run(bare, tmp_path, "-c", "import resource")
    assert "import of resource halted" in shown.stderr


@pytest.mark.long
def test_no_unix_module_is_imported(bare: dict[str, str], tmp_path: Path) -> None:
    loads = "import sys, bots.__main__, arena.core.referee.subprocess_player, bots.sdk.harness\n"
    loads += "print([name for name in sys.modules if name.startswith('arena.core.sandbox.')])"
    shown = run(bare, tmp_path, "-c", loads)
    assert shown.stderr == ""
    uploads = {
        f"uploads.{name}" for name in ("archive", "messages", "module_package", "package", "problems", "sources")
    }
    assert set(eval(shown.stdout)) == {
        f"arena.core.sandbox.{name}" for name in {"errors", "messages", "uploads", *uploads}
    }


def test_bots_are_checked_played_and_replayed(bare: dict[str, str], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("main.py", "from inner.side import AIPlayer\n")
        archive.writestr("inner/side.py", PLAYS)
    (tmp_path / "bad.py").write_text("def get_move(board):\n    return board.nothing\n", encoding="utf-8")
    checked = run(bare, tmp_path, "-m", "bots", "check", "mine.zip")
    assert (checked.returncode, checked.stderr) == (0, "")
    played = run(bare, tmp_path, "-m", "bots", "play", "reversi", "bad.py", "mine.zip", "--record", "r.json")
    assert "bad: crash on turn 1: AttributeError" in played.stderr
    assert run(bare, tmp_path, "-m", "bots", "replay", "r.json", "bad.py").returncode == 1
    assert run(bare, tmp_path, "-m", "bots", "replay", "r.json", "mine.zip").returncode == 0


@pytest.mark.long
def test_starter_plays_a_series_that_can_be_stepped_through(bare: dict[str, str], tmp_path: Path) -> None:
    for game, opponent in (("reversi", "house:corners"), ("golden_point", "house:trend")):
        assert run(bare, tmp_path, "-m", "bots", "new", game, f"{game}.py").returncode == 0
        command = [
            "play",
            game,
            f"{game}.py",
            opponent,
            "--games",
            "2",
            "--seed",
            "1",
            "--watch",
            "--record",
            f"{game}.json",
        ]
        played = run(bare, tmp_path, "-m", "bots", *command)
        assert (played.returncode, played.stderr) == (0, "")
        assert "interval: 95 %" in played.stdout
        stepped = run(bare, tmp_path, "-m", "bots", "replay", f"{game}-2.json")
        assert (stepped.returncode, stepped.stderr) == (0, "")
        at_once = ["replay", f"{game}-1.json", f"{game}.py", "--turn", "2", "--seat", "1" if game == "reversi" else "0"]
        assert run(bare, tmp_path, "-m", "bots", *at_once, "--state", "state.json").returncode == 0
        assert run(bare, tmp_path, "-m", "bots", "replay", "state.json", f"{game}.py").returncode == 0


@pytest.mark.long
def test_unprintable_characters_do_not_fail_the_command(bare: dict[str, str], tmp_path: Path) -> None:
    """The command succeeds on a console that cannot encode the language of the bot's author."""
    source = 'def get_move(board):\n    print("思考中…")\n    raise ValueError("棋盘坏了")\n'
    (tmp_path / "棋手.py").write_text(source, encoding="utf-8")
    environment = {**bare, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    played = run(environment, tmp_path, "-m", "bots", "play", "reversi", "棋手.py", "house:corners", "--log")
    assert played.returncode == 1
    assert "crash on turn 1: ValueError" in played.stderr
    assert "Error:" not in played.stdout


@pytest.mark.long
def test_hanging_bot_is_reported_with_its_line(bare: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("def get_move(board):\n    while True:\n        pass\n", encoding="utf-8")
    played = run(bare, tmp_path, "-m", "bots", "play", "reversi", "slow.py", "house:corners", "--limit", "1")
    assert "slow: timeout on turn 1" in played.stderr
    assert 'File "main.py", line ' in played.stderr
