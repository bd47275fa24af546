"""Illegal answers are traced to a line of the bot if its source code alone reveals the line."""

from __future__ import annotations

import pytest

from arena.studio.answer_locations import answer_location, with_locations

SEVERAL = """
class AIPlayer:
    def helper(self):
        return 1

    def get_move(self, board):
        if board:
            return "A1"
        return "Z9"
"""
SINGLE = """
def get_move(state):
    best = lambda one: one

    def inner():
        return 3

    return best(inner())
"""


def place(main: str, others: dict[str, str] | None = None) -> tuple[str, int, str, bool] | None:
    found = answer_location({"main.py": main, **(others or {})})
    return (found.file, found.line, found.source_line, found.is_definition) if found else None


def test_several_returns_point_to_the_definition() -> None:
    assert place(SEVERAL) == ("main.py", 6, "def get_move(self, board):", True)


def test_single_return_at_the_end_is_the_line() -> None:
    assert place(SINGLE) == ("main.py", 8, "return best(inner())", False)


@pytest.mark.parametrize(
    "source",
    [
        "def get_move(state):\n    if state:\n        return 1",
        "def get_move(state):\n    print(state)",
        "def get_move(state):\n    yield 1\n    return 2",
        "@cache\ndef get_move(state):\n    return 2",
    ],
)
def test_function_that_may_answer_otherwise_points_to_the_definition(source: str) -> None:
    line = source[: source.index("def ")].count("\n") + 1
    assert place(source) == ("main.py", line, "def get_move(state):", True)


def test_imported_player_is_found_in_its_file() -> None:
    found = ("search/best.py", 6, "def get_move(self, board):", True)
    assert place("from search.best import AIPlayer", {"search/best.py": SEVERAL}) == found
    package = {"search/__init__.py": "from .best import AIPlayer", "search/best.py": SEVERAL}
    assert place("from search import AIPlayer", package) == found
    choose = {"other.py": "def choose(state):\n    return 1"}
    assert place("from other import choose as get_move", choose) == ("other.py", 2, "return 1", False)


def test_last_definition_counts() -> None:
    source = "def get_move(s):\n    return 1\ndef get_move(s):\n    return 2"
    assert place(source) == ("main.py", 4, "return 2", False)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def get_move(:",
        "get_move = make()",
        "def get_move(s):\n    return 1\nget_move = wrap(get_move)",
        "from numpy import get_move",
        "from helpers import *\nclass Best:\n    def get_move(self, board):\n        return 1",
        "class AIPlayer(Base):\n    pass",
        "def AIPlayer(color):\n    return Other(color)",
        "class A:\n    def get_move(s, b): return 1\nclass B:\n    def get_move(s, b): return 2",
        "def get_move(s):\n    return 1\nprint(get_move(input()))",
        "import sys\ndef get_move(s):\n    return 1\nprint(get_move(sys.stdin.readline()))",
        "from main import get_move",
        "get_move = " + "(" * 5000,
    ],
)
def test_unclear_player_has_no_place(source: str) -> None:
    assert place(source) is None


def test_imported_factory_has_no_place() -> None:
    assert place("from other import make as AIPlayer", {"other.py": "def make(color):\n    return 1"}) is None


def test_only_illegal_answers_without_a_line_get_a_place() -> None:
    illegal = {"kind": "illegal_move", "file": None, "line": None, "source_line": None}
    crash = {**illegal, "kind": "crash"}
    known = {**illegal, "file": "main.py", "line": 3, "source_line": "x"}
    found = with_locations([illegal, crash, known], {"main.py": SINGLE})
    assert [one["line"] for one in found] == [8, None, 3]
    assert illegal["line"] is None
