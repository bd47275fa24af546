"""Reversi bots that define the function ``reversi_ai(player, board, allow)`` of the Saiblo platform.

``player`` is 0 for black and 1 for white. ``board`` has 64 numbers, row by row: the player whose disc it is, or 2 for
an empty square. ``allow`` has 64 booleans: whether the player may move there. The answer is a pair (row, column) or a
number from 0 to 63.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.reversi.sdk.board import Board
from bots.sdk import answers

FUNCTION = "reversi_ai"
# The platform's template contains a function that queries the legal moves of any position.
_ASKS = "ask_next_pos"
_COLORS = "XO"
NUMBERS = {"X": 0, "O": 1, ".": 2}
_LETTERS = {number: letter for letter, number in NUMBERS.items()}


class Board64Adapter:
    """The adapter for ``reversi_ai(player, board, allow)``, which returns a square."""

    parameter: str | None = None
    always_passes_seat = False
    function: str | None = FUNCTION

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._color = ""
        self._cells = ""

    @property
    def seat_argument(self) -> int:
        return _COLORS.index(self._color)

    def begin(self, own: Mapping[str, Any]) -> None:
        self._color = own["color"]

    def prepare(self, player: Any) -> None:
        names = getattr(player, "__globals__", {})
        if _ASKS in names:
            names[_ASKS] = allowed

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._cells = shared["board"]

    def state(self) -> tuple[int, list[int], list[bool]]:
        board = [NUMBERS[cell] for cell in self._cells]
        return self.seat_argument, board, allowed(board, self.seat_argument)

    def answer(self, value: Any) -> Any:
        move = answers.to_json_values(value)
        pair = divmod(move, 8) if isinstance(move, int) else tuple(move) if isinstance(move, list) else ()
        if len(pair) != 2 or not all(isinstance(number, int) for number in pair):
            raise answers.Unusable("bot.reversi.function.no_pair", value=answers.sanitize_text(repr(value), 60))
        name = Board().num_board(pair)
        if name is None:
            raise answers.Unusable("bot.reversi.function.outside", value=answers.sanitize_text(repr(value), 60))
        return name


def allowed(board: list[int], player: int) -> list[bool]:
    """Return, for each of the 64 squares of ``board``, whether ``player`` may move there."""
    position = Board()
    letters = [_LETTERS[number] for number in board]
    position._board = [letters[start : start + 8] for start in range(0, 64, 8)]
    legal = {position.board_num(action) for action in position.get_legal_actions(_COLORS[player])}
    return [(row, column) in legal for row in range(8) for column in range(8)]
