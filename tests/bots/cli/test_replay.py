"""``python -m bots replay`` shows records and reruns real bots in plain processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.core.referee import record
from arena.core.referee.position import Position
from arena.core.referee.record import Record
from bots.cli.commands import BOT_FAILED, OK, USAGE, main
from bots.cli.replay import print_turns, read_record_or_position

# Answers its first request and fails on its second.
FRAGILE = """
class AIPlayer:
    def __init__(self, color):
        self.color, self.moves = color, 0
    def get_move(self, board):
        self.moves += 1
        print("move", self.moves)
        if self.moves == 2:
            return board.nothing
        return next(board.get_legal_actions(self.color))
"""

Text = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def match_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``fragile.py``, its lost match ``r.json`` and a golden-point match, ``g.json``."""
    folder = tmp_path_factory.mktemp("played")
    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("fragile.py").write_text(FRAGILE, encoding="utf-8")
        assert main(["play", "reversi", "fragile.py", "house:most_discs", "--record", "r.json"]) == BOT_FAILED
        golden = ["play", "golden_point", "house:steady", "house:trend", "--set", "rounds=3", "--record", "g.json"]
        assert main(golden) == OK
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(autouse=True)
def _working_directory(match_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(match_folder)


def keys(*typed: str) -> Callable[[], str]:
    waiting: Iterator[str] = iter(typed)
    return lambda: next(waiting)


def test_record_is_printed_without_an_interactive_terminal(capsys: Text) -> None:
    assert main(["replay", "r.json"]) == OK
    out = capsys.readouterr().out
    assert out.startswith("reversi: fragile, house:most_discs\n")
    assert "X fragile  faults: crash" in out
    assert out.endswith("forfeit: fragile 0, house:most_discs 1\n")
    assert main(["replay", "g.json"]) == OK
    assert "   3  golden " in capsys.readouterr().out


def test_record_from_the_database_is_read(capsys: Text) -> None:
    Path("r.bin").write_bytes(record.dump(Record.from_json(json.loads(Path("r.json").read_text()))))
    assert main(["replay", "r.bin"]) == OK


def test_turns_can_be_stepped_through(capsys: Text) -> None:
    print_turns(read_record_or_position(Path("g.json")), keys("", "b", "2", "what", "e", ""))
    shown = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "golden  " in line or "seats" in line]
    assert shown == ["2", "1", "2", "2", "2", "3"]


def test_q_quits_stepping(capsys: Text) -> None:
    print_turns(read_record_or_position(Path("g.json")), keys("q"))
    assert "   1  golden" not in capsys.readouterr().out


def test_replayed_bot_fails_on_the_same_turn(capsys: Text) -> None:
    assert main(["replay", "r.json", "fragile.py"]) == BOT_FAILED
    out = capsys.readouterr().out
    assert "fragile: crash on turn 3: AttributeError" in out
    assert 'File "main.py", line 9, in get_move' in out
    assert "move 1\nmove 2" in out


@pytest.mark.long
def test_fixed_bot_passes_from_the_saved_state(capsys: Text) -> None:
    Path("mended.py").write_text(FRAGILE.replace("board.nothing", '"Q"'), encoding="utf-8")
    assert main(["replay", "r.json", "--state", "state.json"]) == OK
    assert main(["replay", "state.json", "mended.py"]) == OK
    assert 'answered "Q" in ' in capsys.readouterr().out
    assert main(["replay", "state.json", "fragile.py"]) == BOT_FAILED
    assert isinstance(read_record_or_position(Path("state.json")), Position)


def test_illegal_first_answer_fails_the_replay(capsys: Text) -> None:
    erring = FRAGILE.replace("if self.moves == 2", 'if self.moves == 2: return "A1"\n        if self.moves == 20')
    Path("erring.py").write_text(erring, encoding="utf-8")
    assert main(["replay", "r.json", "erring.py"]) == BOT_FAILED
    assert "answered 'A1': " in capsys.readouterr().out


def test_position_is_shown(capsys: Text) -> None:
    assert main(["replay", "r.json", "--turn", "2", "--state", "second.json"]) == OK
    assert main(["replay", "second.json"]) == OK
    assert "Request on turn 2: house:most_discs (seat 1).\nMove: " in capsys.readouterr().out


@pytest.mark.long
def test_any_turn_of_any_seat_can_be_replayed(capsys: Text) -> None:
    assert main(["replay", "g.json", "house:steady", "--turn", "3", "--seat", "1"]) == OK
    assert "differ from the match in 2 of 2 earlier turns" in capsys.readouterr().out
    assert main(["replay", "r.json", "house:corners", "--turn", "2", "--seat", "O", "--only"]) == OK


def test_failure_before_the_requested_position_is_reported(capsys: Text) -> None:
    Path("at_once.py").write_text("def get_move(board): return 7\n", encoding="utf-8")
    assert main(["replay", "r.json", "at_once.py"]) == BOT_FAILED
    out = capsys.readouterr().out
    assert "illegal_move on turn 1" in out
    assert "turn 3" in out


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["nothing.json"], "file_missing", "nothing.json"),
        (["fragile.py"], "invalid_record", "fragile.py"),
        (["wrong.json"], "invalid_record", "wrong.json"),
        (["other.json"], "no_record", "other.json"),
        (["cut.json"], "invalid_json", "cut.json"),
        (["forged.json"], "invalid_record", "A1"),
        (["g.json", "house:steady"], "no_fault", "--turn NUMBER"),
        (["g.json", "house:steady", "--turn", "2"], "seat_missing", "--seat NUMBER"),
        (["g.json", "house:steady", "--turn", "4", "--seat", "0"], "invalid_position", " 1 to 3"),
        (["g.json", "house:steady", "--turn", "2", "--seat", "2"], "no_seat", " 0 to 1"),
        (["r.json", "house:corners", "--turn", "2", "--seat", "red"], "no_seat", " X, O"),
        (["r.json", "house:corners", "--turn", "2", "--seat", "X"], "invalid_position", "turn 2"),
        (["g.json", "house:steady", "--turn", "2", "--seat", "0", "--only"], "needs_history", "golden_point"),
        (["r.json", "nobody.py"], "bot_not_found", "nobody.py"),
        (["r.json", "--state", "nowhere/state.json"], "not_written", "nowhere/state.json"),
    ],
)
def test_invalid_replay_arguments_are_explained(arguments: list[str], code: str, named: str, capsys: Text) -> None:
    Path("wrong.json").write_text('{"version": 1}', encoding="utf-8")
    Path("other.json").write_text('{"name": "other"}', encoding="utf-8")
    Path("cut.json").write_text('{"version": 1', encoding="utf-8")
    forged = json.loads(Path("r.json").read_text())
    forged["turns"][0]["moves"][0]["move"] = "A1"
    Path("forged.json").write_text(json.dumps(forged), encoding="utf-8")
    assert main(["replay", *arguments]) == USAGE
    errors = capsys.readouterr().err
    assert errors.endswith(f" [{code}]\n")
    assert named in errors


def test_saved_position_does_not_accept_a_turn(capsys: Text) -> None:
    assert main(["replay", "r.json", "--state", "one.json"]) == OK
    assert main(["replay", "one.json", "fragile.py", "--turn", "1"]) == USAGE
    assert "[turn_given]" in capsys.readouterr().err
