"""A script's dialect is detected from its source."""

from __future__ import annotations

import pytest

from bots.golden_point.sdk import SDK as GOLDEN_POINT
from bots.reversi.sdk import SDK as REVERSI
from bots.reversi.sdk.detect import FUNCTION
from bots.sdk.failures import NoPlayer
from bots.sdk.scripts.detect import dialect_name
from tests.bots.message_texts import english_text
from tests.bots.sdk.scripts import examples, matches

SDKS = {"reversi": REVERSI, "golden_point": GOLDEN_POINT}


def name(main: str, game: str = "reversi", *others: str) -> str | None:
    return dialect_name(main.encode(), [other.encode() for other in others], SDKS[game])


@pytest.mark.parametrize(
    ("main", "dialect"),
    [
        (examples.BOTZONE, "botzone"),
        (examples.BOTZONE_LONG, "botzone"),
        (examples.BOTZONE_SIMPLE, "botzone-simple"),
        (examples.CODINGAME, "codingame"),
        (examples.OTHELLO_GUI, "othello-gui"),
        (examples.REVERSI_AI, FUNCTION),
        (examples.SAIBLO, "saiblo"),
        ("def reversi_ai(player, board, allow, memory=None): pass", FUNCTION),
        (matches.RANDOM, None),
        ("# arena: codingame\nimport mine", "codingame"),
        ("#arena:Botzone-Simple\n", "botzone-simple"),
        ("\ufeff# arena: codingame\r\nimport mine\r\n", "codingame"),
        ("# arena: module\nx = input()", None),
        ("# arena: reversi-ai\nfrom mine import reversi_ai", FUNCTION),
        ("class Mine:\n  def get_move(self, board): return input()", None),
        ("from mine import AIPlayer\nx = input()", None),
        ("class Search:\n  def get_move(self): pass\nwhile True: rows = [input() for _ in range(8)]", "codingame"),
        (
            "class Search:\n  def get_move(self): pass\nfor line in open(0).readlines(): pass\nwhile 1: pass",
            "codingame",
        ),
        ("class Human:\n  def get_move(self, board):\n    print('SCORE:', board)\n    return input()", None),
        ("class Human:\n  def get_move(self, board):\n    while True: return input()", None),
        ("class Mine:\n  def get_move(self, b): pass\nif __name__ == '__main__':\n  while 1: input()", None),
        ("class Mine:\n  def get_move(self): pass\ndef run():\n  action_count = int(input())\nrun()", "codingame"),
        ("for turn in range(30):\n  actionCount = int(input())", "codingame"),
        ("get_move = input", None),
        ("def get_move(board, color): pass\nif __name__ == '__main__':\n  while True: input()", "codingame"),
        ("def get_move(board, time=1): pass\nif __name__ == '__main__':\n  while True: input()", None),
        ("def get_move(board): pass\nwhile True: get_move(input())", "codingame"),
        ("def get_move(board): pass\ndef play():\n  while 1: line()\ndef line(): return input()\nplay()", "codingame"),
        ("inputs = [1]", None),
        ("x = 'stdin'", None),
        ("class Brain: pass", None),
        ("def f(:\n  input()", None),
    ],
)
def test_reversi_dialect_is_detected_from_source(main: str, dialect: str | None) -> None:
    assert name(main) == dialect


@pytest.mark.parametrize(
    "main",
    [
        examples.GOLDEN,
        "print(open(0).read())",
        "import os\nos.read(0, 9)",
        "from sys import stdin",
        "import fileinput",
        "for i in range(3): input()",
    ],
)
def test_golden_point_script_is_detected_by_reading_input(main: str) -> None:
    assert name(main, "golden_point") == "golden-lines"


@pytest.mark.parametrize("main", ["def get_move(state): return input()", "print(open('x').read(0))", "x = 0"])
def test_golden_point_module_is_not_a_script(main: str) -> None:
    assert name(main, "golden_point") is None


def test_reads_in_imported_files_count() -> None:
    assert name("import agent\nagent.run()", "reversi", examples.OTHELLO_GUI) == "othello-gui"
    assert name("from agent import AIPlayer", "reversi", "x = input()") is None


@pytest.mark.parametrize(("main", "game"), [("x = input()", "reversi"), ("# arena: botzone\n", "golden_point")])
def test_undetected_dialect_raises_an_error_with_a_hint(main: str, game: str) -> None:
    with pytest.raises(NoPlayer) as refused:
        name(main, game)
    assert "# arena: " in english_text(refused.value)
