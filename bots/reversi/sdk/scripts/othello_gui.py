"""Reversi for scripts written for Daniel Bauer's Othello GUI, which several university courses use.

The script prints its name, reads its colour (1 black, 2 white), and then for each turn ``SCORE black white`` and the
board as a Python expression: rows of 0, 1 and 2. Its answer is ``column row``, both from 0. Later courses replace the
colour with five numbers, ``colour,limit,minimax,caching,ordering``. A script that splits its first line at commas
receives all five, with search options that fit the time limit (``_OPTIONS``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from bots.reversi.sdk.scripts.moves import COLORS
from bots.sdk import answers
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.output import last_answer

_OPTIONS = ",5,0,1,1"  # depth 5, alpha-beta, caching, ordering
_SPLITS = re.compile(r"split\(\s*(['\"]),\1\s*\)")
_ANSWER = re.compile(r"(\d{1,3})\s+(\d{1,3})")
_NUMBERS = {".": 0, "X": 1, "O": 2}


class OthelloGui(Dialect):
    """The dialect of scripts that read ``SCORE a b`` and a board in a loop, and print ``column row`` each time."""

    code: ClassVar[str] = "bot.reversi.othello_gui"
    stays: ClassVar[bool] = True

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        self._options = _OPTIONS if _SPLITS.search(source) else ""
        self._color = ""
        self._cells = ""

    def begin(self, own: Mapping[str, Any]) -> None:
        self._color = own["color"]

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._cells = shared["board"]

    def first_input(self) -> str:
        return f"{COLORS.index(self._color) + 1}{self._options}\n{self.next_input()}"

    def next_input(self) -> str:
        numbers = [_NUMBERS[cell] for cell in self._cells]
        board = tuple(tuple(numbers[start : start + 8]) for start in range(0, 64, 8))
        return f"SCORE {self._cells.count('X')} {self._cells.count('O')}\n{board}\n"

    def waits(self, printed: str) -> bool:
        return True

    def answer(self, printed: str) -> Any:
        """Return the square from the last line that consists of two integers."""
        found = last_answer(printed, _ANSWER.fullmatch, "3 2")
        column, row = int(found[1]), int(found[2])
        if column > 7 or row > 7:
            raise answers.Unusable("bot.reversi.othello_gui.outside", column=column, row=row)
        return f"{'ABCDEFGH'[column]}{row + 1}"
