"""Reversi on CodinGame: https://www.codingame.com/multiplayer/bot-programming/othello-1

The input begins with the player's id (0 for black, 1 for white) and the board's size. For each turn, it continues with
eight rows of ``.``, ``0`` and ``1`` from the top, the number of legal moves, and the legal moves, one per line, here in
the order A1, B1, ... H8. The answer is one line such as ``d3``, ``d3 MSG hello`` or ``EXPERT d3``; once a script has
answered with EXPERT, every later turn has one more line below the rows: the opponent's moves since the previous turn,
joined by ``;``, where a forced pass is written as ``pass``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from bots.reversi.sdk.scripts.moves import COLORS, ReversiMoves, UnreachablePosition, board_of
from bots.sdk.scripts.dialect import Dialect
from bots.sdk.scripts.output import last_answer

_SQUARES = [f"{column}{row}" for row in "12345678" for column in "abcdefgh"]
_ANSWER = re.compile(r"(?P<expert>EXPERT\s+)?(?P<square>[a-h][1-8])(\s+MSG\b.*)?", re.IGNORECASE)
_DIGITS = str.maketrans("".join(COLORS), "01")


class CodinGame(Dialect):
    """The dialect of scripts that read the board's rows and the legal moves in a loop, and print one move each time."""

    code: ClassVar[str] = "bot.reversi.codingame"
    stays: ClassVar[bool] = True

    def __init__(self, load: Mapping[str, Any], source: str) -> None:
        self._moves = ReversiMoves()
        self._color = ""
        self._cells = ""
        self._seen = 0  # plies known on the previous turn
        self._expert = False

    def begin(self, own: Mapping[str, Any]) -> None:
        self._color = own["color"]

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._cells, self._seen = shared["board"], len(self._moves.plies)
        with contextlib.suppress(UnreachablePosition):  # moves are sent only in expert mode
            self._moves.observe(shared, self._color)

    def first_input(self) -> str:
        return f"{COLORS.index(self._color)}\n8\n{self.next_input()}"

    def next_input(self) -> str:
        cells = self._cells.translate(_DIGITS)
        rows = [cells[start : start + 8] for start in range(0, 64, 8)]
        legal = {square.lower() for square in board_of(self._cells).get_legal_actions(self._color)}
        actions = [square for square in _SQUARES if square in legal]
        return "\n".join([*rows, *self._for_experts(), str(len(actions)), *actions]) + "\n"

    def _for_experts(self) -> list[str]:
        if not self._expert:
            return []
        theirs = self._moves.plies[self._seen + 1 :: 2]
        return [";".join("pass" if ply is None else _SQUARES[8 * ply[0] + ply[1]] for ply in theirs)]

    def waits(self, printed: str) -> bool:
        return True

    def answer(self, printed: str) -> Any:
        """Return the square from the last line that names one."""
        found = last_answer(printed, _ANSWER.fullmatch, "d3")
        self._expert = self._expert or bool(found["expert"])
        return found["square"].upper()
