"""Saiblo's program interface for Reversi, for bots whose ``reversi_ai`` takes more arguments than Saiblo's function.

A turn is read as ``#``, the player's number (0 for black), the 64 numbers of the board row by row (2 for empty) and
``#``. A bot's output is prefixed with its length in four bytes. The output is either the answer, ``row column`` as two
digits, or a query in the form of a turn; the reply to a query is 64 digits that mark the legal moves of the query's
player on the query's board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from bots.reversi.sdk.board64 import NUMBERS, allowed
from bots.reversi.sdk.scripts.moves import COLORS
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.output import invalid_output_error, missing_output_error

_QUESTION = re.compile(r"\0\0\0C#([01])([012]{64})#\Z")
_ANSWER = re.compile(r"\0\0\0\x02([0-7])([0-7])")
_EXAMPLE = "23"


class Saiblo(Dialect):
    """The dialect of scripts that read a board in a loop, and answer with two digits each time.

    Before answering, a script may query legal moves.
    """

    code: ClassVar[str] = "bot.reversi.saiblo"
    stays: ClassVar[bool] = True
    logged: ClassVar[bool] = False

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        self._player = 0
        self._cells = ""

    def begin(self, own: Mapping[str, Any]) -> None:
        self._player = COLORS.index(own["color"])

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._cells = shared["board"]

    def first_input(self) -> str:
        return self.next_input()

    def next_input(self) -> str:
        return f"#{self._player}{''.join(str(NUMBERS[cell]) for cell in self._cells)}#"

    def reply(self, printed: str) -> str | None:
        question = _QUESTION.search(printed)
        if question is None:
            return None
        legal = allowed([int(digit) for digit in question[2]], int(question[1]))
        return "".join(str(int(may)) for may in legal)

    def waits(self, printed: str) -> bool:
        return True

    def answer(self, printed: str) -> Any:
        """Return the square from the last answer in the output."""
        found = _ANSWER.findall(printed)
        if not found:
            raise invalid_output_error(printed, _EXAMPLE) if printed.strip() else missing_output_error(_EXAMPLE)
        row, column = found[-1]
        return f"{'ABCDEFGH'[int(column)]}{int(row) + 1}"
