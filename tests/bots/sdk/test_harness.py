"""The harness, run in this process, gives the expected replies to the referee's requests."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from bots.reversi.sdk import SDK as REVERSI
from tests.bots.conversation import Conversation

pytestmark = pytest.mark.usefixtures("own_modules")

LIBRARIES = Path(__file__).resolve().parents[3] / "build" / "bot-libraries"


def reversi(folder: Path, main: str, **files: str) -> Conversation:
    return Conversation(folder, "reversi", main=main, **files)


FIRST = "next(board.get_legal_actions('X'))"


@pytest.mark.parametrize(
    "main",
    [
        f"class AIPlayer:\n  def __init__(self, color): self.c = color\n  def get_move(self, board): return {FIRST}",
        f"class AIPlayer:\n  def get_move(self, board): return {FIRST}",
        f"class AIPlayer:\n  def __init__(self, color='O', depth=3): assert color == 'X'\n"
        f"  def get_move(self, board, time=60): return {FIRST}",
        "class AIPlayer:\n  def __init__(self, *rest): assert rest == ('X',)\n"
        f"  def get_move(self, board): return {FIRST}",
        f"class AIPlayer:\n  def get_move(self, **rest):\n    board = rest['board']\n    return {FIRST}",
        f"class AIPlayer:\n  __slots__ = ()\n  def get_move(self, board): return {FIRST}",
        f"class Base:\n  def get_move(self, board): return {FIRST}\nclass Other: pass\nAIPlayer = Base",
        f"class MCTS:\n  def get_move(self, board): return {FIRST}\nclass RandomPlayer(MCTS): pass\n"
        "class TreeNode(MCTS): pass",
        f"class Base:\n  def get_move(self): pass\nclass Mine(Base):\n  def get_move(self, board): return {FIRST}",
        f"class MCTS:\n  def get_move(self, *, board): return {FIRST}\nclass NodeOfMCTS(MCTS): pass",
        f"class Mine:\n  @staticmethod\n  def get_move(board): return {FIRST}",
        f"from functools import partial\nclass Mine:\n  def __init__(self, color, depth): pass\n"
        f"  def get_move(self, board): return {FIRST}\nAIPlayer = partial(Mine, depth=3)",
        f"def get_move(board): return {FIRST}",
        f"def get_move(state):\n  board = state\n  return {FIRST}",
        f"import numpy as np\nclass AIPlayer:\n  def get_move(self, board): return np.str_({FIRST})",
    ],
)
def test_players_are_found_and_answer(tmp_path: Path, main: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "numpy" in main:  # from the libraries for bots; the test suite itself does not need numpy
        monkeypatch.syspath_prepend(LIBRARIES)
    bot = reversi(tmp_path, main)
    assert bot.start()["t"] == "done"
    assert bot.move() == {"t": "answer", "value": "D3"}


def test_course_harness_sets_the_color(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "class AIPlayer:\n  def get_move(self, board): return self.color")
    bot.start()
    assert bot.move() == {"t": "answer", "value": "X"}


def test_every_turn_gets_a_fresh_board(tmp_path: Path) -> None:
    bot = reversi(
        tmp_path,
        "kept = []\n"
        "def get_move(board):\n"
        "  kept.append(board)\n"
        "  board._board[0][0] = 'O'\n"
        "  return ''.join(b._board[0][0] + b._board[2][3] for b in kept)\n",
    )
    bot.start()
    bot.move()
    assert bot.move("." * 19 + "X" + "." * 44)["value"] == "O.OX"


def test_bot_gets_its_own_board_class(tmp_path: Path) -> None:
    own = (
        "class Board:\n"
        "  def __init__(self): self._board = [['.'] * 8 for _ in range(8)]\n"
        "  def mobility(self): return self._board[3][3]\n"
    )
    bot = reversi(tmp_path, "from board import Board\ndef get_move(board): return board.mobility()", board=own)
    bot.start()
    assert bot.move() == {"t": "answer", "value": "O"}


def test_unusable_board_class_of_a_bot_is_ignored(tmp_path: Path) -> None:
    own = "class Board:\n  def __init__(self, size): pass\n"
    bot = reversi(tmp_path, "import board\ndef get_move(board): return next(board.get_legal_actions('X'))", board=own)
    bot.start()
    assert bot.move()["value"] == "D3"


@pytest.mark.parametrize(
    ("main", "cause", "text"),
    [
        ("def get_move(:\n", "syntax", "SyntaxError"),
        ("x = '\0'", "syntax", "null"),
        ("import numpyy", "missing_module", "numpyy"),
        ("1 / 0", "exception", "ZeroDivisionError"),
        ("import sys; sys.exit(3)", "exit", "sys.exit"),
        pytest.param("raise MemoryError", "memory", "memory", marks=pytest.mark.long),
        ("raise KeyboardInterrupt", "exception", "KeyboardInterrupt"),
        ("x = 1", "no_player", "bot.no_player"),
        ("class Brain: pass\ndef play(): pass", "no_player", "bot.no_player.both"),
        ("class AIPlayer: pass", "no_player", "bot.no_get_move"),
        ("class A:\n  def get_move(self, b): pass\nclass B(A): pass", "many_players", "A, B"),
        (
            "class AIPlayer:\n  def __init__(self, a, b): pass\n  def get_move(self, b): pass",
            "no_player",
            "(a, b)",
        ),
        (
            "class AIPlayer:\n  def __init__(self, color, *, depth): pass\n  def get_move(self, b): pass",
            "no_player",
            "(color, *, depth)",
        ),
        ("class E(Exception):\n  def __str__(self): raise ValueError\nraise E", "exception", "str failed"),
        ("class E(Exception):\n  def __str__(self): raise SystemExit\nraise E", "exception", "line 3, in <module>"),
        (
            "class S(str):\n  def __bool__(self): raise SystemExit\n  __getitem__ = __format__ = replace = __bool__\n"
            "class E(Exception):\n  def __str__(self): return S('odd')\nraise E",
            "exception",
            "E: odd",
        ),
    ],
)
def test_errors_at_the_start_are_reported(tmp_path: Path, main: str, cause: str, text: str) -> None:
    reply = reversi(tmp_path, main).start()
    assert reply["t"] == "failed"
    assert reply["cause"] == cause
    assert text in " ".join([reply.get("code", ""), reply["message"], reply.get("traceback", "")])


def test_failing_line_is_reported(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "import helper\n", helper="def f():\n    return {}['key']\nf()\n")
    reply = bot.start()
    assert (reply["file"], reply["line"], reply["source_line"]) == ("helper.py", 2, "return {}['key']")
    assert str(tmp_path) not in reply["traceback"]
    assert "harness" not in reply["traceback"]
    assert 'File "helper.py", line 2, in f' in reply["traceback"]


def test_syntax_error_reports_its_line(tmp_path: Path) -> None:
    reply = reversi(tmp_path, "x = 1\ndef f(:\n").start()
    assert (reply["file"], reply["line"], reply["source_line"]) == ("main.py", 2, "def f(:")


def test_huge_error_is_truncated_to_one_message(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "raise ValueError('\u4e2d\\x00\\ud800' * 300_000)")
    bot.load()
    raw = bot.session.handle(b'{"nonce":"n","do":"import"}')
    assert len(raw) < 40_000
    assert b"\\u0000" not in raw


def test_deep_recursion_raises_an_exception(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "def get_move(board): return get_move(board)")
    bot.start()
    reply = bot.move()
    assert (reply["cause"], reply["line"]) == ("exception", 1)
    assert "RecursionError" in reply["message"]


@pytest.mark.parametrize(
    "answer",
    ["object()", "float('nan')", "float('inf')", "True", "10 ** 400", "{'a': 1}", "[[1]]", "'\\ud800'", "'\\0'"],
)
def test_answer_not_representable_in_json_is_illegal(tmp_path: Path, answer: str) -> None:
    bot = reversi(tmp_path, f"def get_move(board): return {answer}")
    bot.start()
    reply = bot.move()
    assert reply["t"] == "unusable"
    assert reply["text"].startswith("get_move returned")


def test_none_and_tuples_are_sent_as_answers(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "answers = iter([None, (2, 3)])\ndef get_move(board): return next(answers)")
    bot.start()
    assert bot.move() == {"t": "answer", "value": None}
    assert bot.move() == {"t": "answer", "value": [2, 3]}


@pytest.mark.long
def test_long_lists_are_sent_within_the_message_limit(tmp_path: Path) -> None:
    answers = "iter([[0.125] * 1024, [1] * 1025, ['\\x01' * 900] * 900, ['x' * 900] + [1.5] * 1000])"
    bot = reversi(tmp_path, f"answers = {answers}\ndef get_move(board): return next(answers)")
    bot.start()
    assert bot.move() == {"t": "answer", "value": [0.125] * 1024}
    assert bot.move()["t"] == bot.move()["t"] == "unusable"
    assert len(bot.move()["value"]) == 1001


def test_again_asks_with_the_same_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = reversi(tmp_path, "seen = []\ndef get_move(board):\n  seen.append(board)\n  return len(seen)")
    bot.start()
    bot.move()
    assert bot.send("again", reason="not legal")["value"] == 2
    assert "not legal" in capsys.readouterr().err


def test_files_can_import_each_other_circularly(tmp_path: Path) -> None:
    bot = reversi(
        tmp_path, "import side\ndef get_move(board): return side.f()", side="import main\ndef f(): return main.__name__"
    )
    bot.start()
    assert bot.move()["value"] == "main"


def test_match_against_its_author_at_import_is_aborted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(REVERSI.shims_folder)
    main = (
        "from game import Game\nclass HumanPlayer:\n  def __init__(self, color): self.color = color\n"
        "  def get_move(self, board):\n    while True:\n      move = input('move? ')\n"
        "      if move == 'Q': return move\n"
        f"class AIPlayer:\n  def __init__(self, color): pass\n  def get_move(self, board): return {FIRST}\n"
        "Game(HumanPlayer('X'), AIPlayer('O')).run()\n"
    )
    bot = reversi(tmp_path, main)
    assert bot.start()["t"] == "done"
    assert bot.move()["value"] == "D3"
    assert "input() on line 6 returned Q" in capsys.readouterr().err


def test_module_that_keeps_reading_input_at_import_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    reply = reversi(tmp_path, "class AIPlayer: pass\nwhile True: input()\n").start()
    assert (reply["line"], reply["code"]) == (2, "bot.input_ended")


def test_module_reading_input_at_import_fails_in_other_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    reply = Conversation(tmp_path, "golden_point", main="class AIPlayer: pass\ninput()\n").start()
    assert (reply["code"], reply["line"]) == ("bot.input_ended", 2)


def test_player_of_a_sibling_module_is_found(tmp_path: Path) -> None:
    side = f"class AIPlayer:\n  def get_move(self, board): return {FIRST}\n"
    bot = reversi(tmp_path, "import side, copy\nclass HumanPlayer:\n  def get_move(self, b): pass\n", side=side)
    assert bot.start()["t"] == "done"
    assert bot.move()["value"] == "D3"


def test_names_removed_from_python_still_work(tmp_path: Path) -> None:
    bot = reversi(tmp_path, "import time\ndef get_move(board): return time.clock() > 0 and 'D3'")
    bot.start()
    assert bot.move()["value"] == "D3"


def test_monkeypatched_modules_do_not_block_the_answer(tmp_path: Path) -> None:
    bot = reversi(
        tmp_path,
        "import json, sys, os, inspect\njson.dumps = json.loads = None\ndef get_move(board): return 'D3'\n",
    )
    import json

    kept = json.dumps, json.loads
    try:
        bot.load()
        bot.session.handle(b'{"nonce":"n","do":"import"}')
        bot.session.handle(b'{"nonce":"n","do":"construct","own":{"color":"X"}}')
        reply = bot.session.handle(
            b'{"nonce":"n","do":"move","own":{"color":"X"},"shared":{"board":"' + b"." * 64 + b'"}}'
        )
    finally:
        json.dumps, json.loads = kept
    assert reply == b'{"t":"answer","value":"D3","nonce":"n"}'
