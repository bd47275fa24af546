"""The command line, with real bots as plain processes."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from arena.referee.record import Record, verify
from bots.cli.commands import ARENA_FAILED, BOT_FAILED, OK, USAGE, main
from bots.cli.table import table

FIRST = "class AIPlayer:\n  def __init__(self, c): self.c = c\n  def get_move(self, board): return next("
FIRST += "board.get_legal_actions(self.c))\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).resolve().parents[2])]))


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_a_starter_passes_its_check_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("reversi", "golden_point"):
        assert main(["new", game, f"{game}.py"]) == OK
        assert main(["check", f"{game}.py", "--game", game]) == OK
    assert "passed the check for golden_point" in capsys.readouterr().out


def test_matches_are_played_recorded_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", FIRST)
    write("folder/main.py", FIRST)
    with zipfile.ZipFile("b.zip", "w") as archive:
        archive.writestr("b/main.py", "from side import AIPlayer\n")
        archive.writestr("b/side.py", FIRST)
    assert main(["play", "reversi", "a.py", "b.zip", "--games", "2", "--record", "out.json"]) == OK
    assert main(["play", "reversi", "folder", "house:random_move", "--seed", "5"]) == OK
    out = capsys.readouterr().out
    assert "Match 2: b " in out
    for number in (1, 2):
        record = Record.from_json(json.loads(Path(f"out-{number}.json").read_text()))
        assert verify(record) == []
    assert [seat.name for seat in record.seats] == ["b", "a"]


def test_golden_point_takes_settings(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["house:steady", "house:last_golden", "house:trend"]
    assert main(["play", "golden_point", *bots, "--set", "rounds=5", "--set", "numbers=1"]) == OK
    assert "(completed, 5 turns)" in capsys.readouterr().out


def test_a_bot_that_fails_fails_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    write("bad.py", "def get_move(board):\n    print('so far')\n    return board.nothing\n")
    write("good.py", FIRST)
    assert main(["play", "reversi", "good.py", "bad.py", "--log"]) == BOT_FAILED
    shown = capsys.readouterr()
    assert "bad: crash in turn 2: AttributeError" in shown.err
    assert 'File "main.py", line 3' in shown.err
    assert "so far" in shown.out
    assert main(["check", "bad.py"]) == BOT_FAILED
    assert "failed  match" in capsys.readouterr().out


def test_a_bot_that_never_answers_is_stopped() -> None:
    write("slow.py", "import time\ndef get_move(board): time.sleep(60)\n")
    assert main(["play", "reversi", "slow.py", "house:random_move", "--limit", "0.3"]) == BOT_FAILED


def test_a_bot_that_ends_its_process_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    write("gone.py", "import os\ndef get_move(board): os._exit(7)\n")
    assert main(["play", "reversi", "gone.py", "house:random_move"]) == BOT_FAILED
    assert "exit code 7" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play", "reversi", "nobody.py", "house:corners"], "There is no bot nobody.py"),
        (["play", "reversi", "house:nobody", "house:corners"], "There are "),
        (["play", "reversi", "house:corners"], "is played by 2 bots, not 1"),
        (["play", "reversi", ".", "house:corners"], "has no main.py"),
        (["play", "golden_point", "house:steady", "house:trend", "--set", "rounds=0"], "1 to 2000"),
        (["play", "golden_point", "house:steady", "house:trend", "--set", "rounds"], "NAME=VALUE"),
        (["check", "bot.zip"], "bot.zip: "),
        (["new", "reversi", "bot.txt"], "exists already"),
    ],
)
def test_wrong_commands_are_explained(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("bot.txt", "no bot")
    Path("bot.zip").write_bytes(b"PK\x03\x04 no archive")
    assert main(arguments) == USAGE
    assert told in capsys.readouterr().err


def test_our_own_failure_has_its_status(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert main(["play", "reversi", "house:random_move", "house:random_move"]) == ARENA_FAILED
    assert "the local arena failed" in capsys.readouterr().err


def test_house_bots_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["house", "reversi"]) == OK
    assert "house:corners" in capsys.readouterr().out


def test_tables_line_up_with_wide_characters() -> None:
    assert table(("bot", "won"), [("\u68cb\u624b", "1"), ("a", "10")]) == "bot   won\n\u68cb\u624b    1\na      10"
