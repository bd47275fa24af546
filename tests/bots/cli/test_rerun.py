"""``python -m bots replay --rerun`` works as typed in a terminal, with bots in plain processes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bots.cli.commands import BOT_FAILED, OK, USAGE, main

# Moves depend only on the seeded generator: a bot that reads ``time`` would not be reproducible.
DRAWS = """
import random

class AIPlayer:
    def __init__(self, color):
        self.color, self.turn = color, 0
    def get_move(self, board):
        self.turn += 1
        legal = sorted(board.get_legal_actions(self.color))
        return random.Random().choice(legal) if self.turn > 1 else legal[0]
"""
PATIENT = DRAWS.replace("self.turn > 1", "self.turn > 2")

Text = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def match_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rerun")
    (folder / "draws.py").write_text(DRAWS, encoding="utf-8")
    (folder / "patient.py").write_text(PATIENT, encoding="utf-8")
    (folder / "project").mkdir()
    (folder / "project" / "main.py").write_text(DRAWS, encoding="utf-8")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert main(["play", "reversi", "draws.py", "house:most_discs", "--seed", "7", "--record", "r.json"]) == OK
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(autouse=True)
def _working_directory(match_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(match_folder)


@pytest.mark.long
def test_same_files_repeat_the_same_moves_and_are_matched_by_content(capsys: Text) -> None:
    turns = [turn["moves"][0]["seat"] for turn in json.loads(Path("r.json").read_text())["turns"]].count(0)
    capsys.readouterr()  # discard the match's output
    assert main(["replay", "--rerun", "r.json", "draws.py"]) == OK
    assert capsys.readouterr().out.startswith(f"seat 0, draws: all {turns} ")
    assert main(["replay", "--rerun", "r.json", "house:most_discs"]) == OK
    assert capsys.readouterr().out.startswith("seat 1, house:most_discs: all ")


@pytest.mark.long
def test_differing_turn_is_reported_with_both_answers(capsys: Text) -> None:
    turns = json.loads(Path("r.json").read_text())["turns"]
    assert main(["replay", "--rerun", "r.json", "patient.py", "--seat", "X"]) == BOT_FAILED
    output = capsys.readouterr().out
    assert main(["replay", "--rerun", "r.json", "patient.py", "--seat", "0", "--json"]) == BOT_FAILED
    (one,) = json.loads(capsys.readouterr().out)["seats"]
    found = one.pop("difference")
    assert output.count("seat 0, draws: ") == 2, "the files differ, and a move"
    assert f" turn {found['turn']}" in output
    assert one == {"seat": 0, "name": "draws", "same_files": False, "equal": False, "turns": one["turns"]}
    recorded = turns[found["turn"] - 1]["moves"][0]["move"]
    assert found["recorded"] == {"move": recorded, "refused": 0, "fault": None}
    assert found["now"]["move"] not in (None, recorded)


def test_folder_is_played_at_the_given_seat(capsys: Text) -> None:
    assert main(["replay", "--rerun", "r.json", "project"]) == USAGE
    assert "[no_seat]" in capsys.readouterr().err
    assert main(["replay", "--rerun", "r.json", "project", "--seat", "0"]) == OK


def write_altered_record(name: str, **changed: Any) -> str:
    raw = json.loads(Path("r.json").read_text())
    Path(name).write_text(json.dumps({key: value for key, value in {**raw, **changed}.items() if value is not None}))
    return name


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["r.json"], "bot_missing"),
        (["r.json", "patient.py"], "no_seat"),
        (["r.json", "draws.py", "--seat", "2"], "no_seat"),
        (["r.json", "draws.py", "--turn", "3"], "whole_match"),
        (["r.json", "draws.py", "--only"], "whole_match"),
        (["position.json", "draws.py"], "no_record"),
        (["nothing.json", "draws.py"], "file_missing"),
    ],
)
def test_rerun_without_enough_information_is_a_usage_error(arguments: list[str], code: str, capsys: Text) -> None:
    if arguments[0] == "position.json":
        assert main(["replay", "r.json", "--turn", "3", "--state", "position.json"]) == OK
    assert main(["replay", "--rerun", *arguments]) == USAGE
    assert f"[{code}]" in capsys.readouterr().err


def test_older_records_and_records_with_other_moves_give_no_verdict(capsys: Text) -> None:
    assert main(["replay", "--rerun", write_altered_record("old.json", version=2, secret=None), "draws.py"]) == USAGE
    assert "[record.no_secret]" in capsys.readouterr().err
    assert main(["replay", "--rerun", write_altered_record("wrong.json", turns=[]), "draws.py"]) == USAGE
    assert main(["replay", "r.json", "--json"]) == USAGE
    assert "[rerun_missing]" in capsys.readouterr().err


def test_bot_replayed_on_one_turn_draws_the_same_random_numbers(capsys: Text) -> None:
    """A replay of one turn repeats all earlier requests first, so the bot's generators reach the same state."""
    moves = [turn["moves"][0] for turn in json.loads(Path("r.json").read_text())["turns"]]
    assert main(["replay", "r.json", "draws.py", "--turn", "21", "--seat", "0"]) == OK
    assert f'answered "{moves[20]["move"]}"' in capsys.readouterr().out
