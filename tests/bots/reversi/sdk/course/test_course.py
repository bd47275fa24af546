"""The course's modules work when bots import them by their original names."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bots.reversi.sdk.board import Board
from bots.reversi.sdk.course.game import Game, RandomPlayer
from bots.sdk.shims.func_timeout import FunctionTimedOut, dafunc, exceptions, func_set_timeout, func_timeout

ROOT = Path(__file__).parents[5]

BOT = """
import func_timeout as whole
from Board import Board
from board import Board as Same
from func_timeout import FunctionTimedOut, func_timeout
from game import Game, RandomPlayer
import ipdb

assert Board is Same

class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        ipdb.set_trace()
        return list(board.get_legal_actions(self.color))[0]

Game(AIPlayer("X"), RandomPlayer("O")).run()
"""


def test_bot_without_main_guard_plays_its_own_match(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(BOT)
    path = [str(tmp_path), str(ROOT), str(ROOT / "bots/sdk/shims"), str(ROOT / "bots/reversi/sdk/course")]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; import main"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] in ("Black wins.", "White wins.", "A draw.")
    assert done.stderr.count("The breakpoint on line 16 was skipped") == 1


class Answers:
    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.color = ""

    def get_move(self, board: Board) -> str | None:
        return self.answers.pop(0)


def test_three_illegal_answers_lose(capsys: pytest.CaptureFixture[str]) -> None:
    Game(Answers("A1", None, "d3"), Answers()).run()
    printed = capsys.readouterr().out
    assert "3 illegal answers" in printed
    assert printed.endswith("White wins.\n")


def test_q_ends_the_game_and_counts_the_discs(capsys: pytest.CaptureFixture[str]) -> None:
    Game(Answers("D3"), Answers("Q")).run()
    assert capsys.readouterr().out.endswith("Black wins.\n")


def test_modifying_the_board_loses(capsys: pytest.CaptureFixture[str]) -> None:
    class Cheat:
        def get_move(self, board: Board) -> str:
            board[0][0] = "X"
            return "D3"

    Game(Cheat(), RandomPlayer()).run()
    printed = capsys.readouterr().out
    assert "changed the board" in printed
    assert printed.endswith("White wins.\n")


def test_call_within_its_time_limit_returns() -> None:
    assert func_timeout(5, divmod, (7, 2)) == (3, 1)
    assert func_timeout(5, dict, kwargs={"a": 1}) == {"a": 1}
    with pytest.raises(ZeroDivisionError):
        func_timeout(5, divmod, args=(1, 0))


def test_call_over_its_time_limit_is_stopped() -> None:
    stopped = threading.Event()

    def spin(name: str) -> None:
        try:
            while True:
                pass
        except FunctionTimedOut:
            stopped.set()

    with pytest.raises(FunctionTimedOut) as caught:
        func_timeout(0.01, spin, ("a",))
    assert stopped.wait(5)
    assert caught.value.timedOutAfter == 0.01
    assert caught.value.timedOutFunction is spin
    assert caught.value.timedOutArgs == ("a",)
    assert not isinstance(caught.value, Exception)


def test_submodules_export_the_same_names() -> None:
    assert exceptions.FunctionTimedOut is FunctionTimedOut
    assert (dafunc.func_timeout, dafunc.func_set_timeout) == (func_timeout, func_set_timeout)


def test_decorator_limits_calls() -> None:
    @func_set_timeout(0.01, allowOverride=True)
    def wait_for(event: threading.Event) -> bool:
        return event.wait(0.1) and event.wait(0.1)

    event = threading.Event()
    with pytest.raises(FunctionTimedOut):
        wait_for(event)
    assert wait_for(event, forceTimeout=5) is False
    event.set()
    assert wait_for(event) is True
