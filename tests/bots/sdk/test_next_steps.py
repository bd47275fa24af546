"""Hints for a bot's author after a failure show lines of the author's code, not of harness or course files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.core.referee import verdict
from arena.core.referee.diagnosis import SourceLocation, location_in_log
from arena.core.referee.protocol import RequestKind
from arena.games.registry import GAMES
from tests.bots.conversation import Conversation
from tests.core.message_codes import codes_of

PLAYER = "class AIPlayer:\n  def __init__(self, color): pass\n  def get_move(self, board): pass\n"
COURSE_FILES = GAMES["reversi"].course_files


@pytest.mark.parametrize(("game", "call"), [("reversi", "AIPlayer(color)"), ("golden_point", "AIPlayer(seat)")])
def test_constructor_with_extra_arguments_gets_a_hint(tmp_path: Path, game: str, call: str) -> None:
    main = "x = 1\nclass AIPlayer:\n  def __init__(self, color, depth): pass\n  def get_move(self, board): pass\n"
    reply = Conversation(tmp_path, game=game, main=main).start()
    assert reply["code"] == "bot.constructor"
    assert call in reply["message"]
    assert "(color, depth)" in reply["message"]
    assert (reply["file"], reply["line"]) == ("main.py", 3)
    assert "traceback" not in reply


@pytest.mark.parametrize(
    ("other", "line"),
    [
        (PLAYER, "from search import AIPlayer"),
        ("def helper(): pass\ndef get_move(board): pass\n", "from search import get_move"),
        ("class Mcts:\n  def get_move(self, board): pass\n", "from search import Mcts"),
    ],
)
def test_player_in_another_file_is_found(tmp_path: Path, other: str, line: str) -> None:
    reply = Conversation(tmp_path, main="import math\n", search=other, broken="def f(:", tables="x = [1]").start()
    assert reply["cause"] == "no_player"
    assert reply["code"] == "bot.no_player.beside"
    assert f'"{line}"' in reply["message"]


def test_player_in_a_folder_is_found_without_running_code(tmp_path: Path) -> None:
    (tmp_path / "lib" / "deep").mkdir(parents=True)
    (tmp_path / "lib" / "deep" / "player.py").write_text(f"open('ran', 'w')\n{PLAYER}", encoding="utf-8")
    reply = Conversation(tmp_path, main="def play(): pass\n").start()
    assert '"from lib.deep.player import AIPlayer"' in reply["message"]
    assert not (tmp_path / "ran").exists()


def test_error_in_course_file_is_reported_at_the_authors_line(tmp_path: Path) -> None:
    game = "class Game:\n  def run(self):\n    raise ValueError('no players')\n"
    main = f"from game import Game\n{PLAYER}\nGame().run()\n"
    (tmp_path / "game.py").write_text(game, encoding="utf-8")
    sys.modules.pop("game", None)
    sys.path.insert(0, str(tmp_path))
    try:
        reply = Conversation(tmp_path, main=main).start()
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("game", None)
    assert (reply["file"], reply["source_line"]) == ("main.py", "Game().run()")
    assert 'File "game.py", line 3, in run' in reply["traceback"]


def stack(*frames: str) -> bytes:
    """Format a stack as faulthandler does; frames are given as FILE:LINE:FUNCTION."""
    parts = [frame.split(":") for frame in frames]
    lines = [f'  File "/bot/{file}", line {line} in {function}\n' for file, line, function in parts]
    return "".join(["Stack (most recent call first):\n", *lines]).encode()


def test_game_played_at_import_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(f"from game import Game\n{PLAYER}game = Game()\ngame.run()\n", encoding="utf-8")
    (tmp_path / "game.py").write_text("\n" * 99, encoding="utf-8")
    log = stack("main.py:4:get_move", "game.py:90:run", "main.py:6:<module>")
    location = location_in_log(log, tmp_path, importing=True, course_files=COURSE_FILES)
    assert location == SourceLocation("main.py", 6, "game.run()")
    fault = verdict.timeout_fault(RequestKind.IMPORT, 10.0, location)
    assert list(codes_of(fault.message)) == ["guard", "at_line", "timeout.importing"]
    assert " line 6 of main.py." in fault.message.text


def test_slow_module_imported_by_main_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import tables\n", encoding="utf-8")
    (tmp_path / "tables.py").write_text("def f(): pass\nx = f()\n", encoding="utf-8")
    location = location_in_log(
        stack("tables.py:1:f", "tables.py:2:<module>", "main.py:1:<module>"), tmp_path, importing=True
    )
    assert location == SourceLocation("tables.py", 2, "x = f()")


def test_slow_library_import_is_not_reported_as_a_game(tmp_path: Path) -> None:
    location = SourceLocation("main.py", 1, "import pandas")
    assert "guard" not in codes_of(verdict.timeout_fault(RequestKind.IMPORT, 10.0, location).message)
    constructing = verdict.timeout_fault(RequestKind.CONSTRUCT, 10.0, SourceLocation("main.py", 1, "self.x = f()"))
    assert "guard" not in codes_of(constructing.message)


def test_authors_file_takes_precedence_over_course_files(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("\n" * 9, encoding="utf-8")
    (tmp_path / "board.py").write_text("\n" * 9, encoding="utf-8")
    found = location_in_log(stack("board.py:3:copy", "main.py:5:search"), tmp_path, course_files=COURSE_FILES)
    assert found
    assert (found.file, found.line) == ("main.py", 5)
    elsewhere = location_in_log(stack("board.py:3:copy", "main.py:5:search"), tmp_path)
    assert elsewhere
    assert elsewhere.file == "board.py", "games without a course hand out nothing"
    alone = location_in_log(stack("board.py:3:copy"), tmp_path, course_files=COURSE_FILES)
    assert alone
    assert alone.file == "board.py"


def test_traceback_hides_arena_frames_and_host_paths(tmp_path: Path) -> None:
    main = (
        "import json\nfrom bots.sdk.board import Board\n"
        "def get_move(board):\n"
        "  try:\n    json.loads('{')\n"
        "  except ValueError:\n    list(Board.get_legal_actions(None, 'X'))\n"
    )
    bot = Conversation(tmp_path, main=main)
    assert bot.start()["t"] == "done"
    reply = bot.move()
    assert 'File "main.py", line 7, in get_move' in reply["traceback"]
    assert 'File "json/decoder.py"' in reply["traceback"]
    assert "harness.py" not in reply["traceback"]
    assert "bots/sdk" not in reply["traceback"]
    assert str(tmp_path) not in reply["traceback"]
    assert 'File "/' not in reply["traceback"]
    assert (reply["file"], reply["line"]) == ("main.py", 7)
