"""The moves of a Reversi match as a seat receives them, with the passes between them.

Invariant: ``plies`` alternate, starting with black, with None for a forced pass; played from the start, they lead to
the last received position. Rows and columns count from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.reversi.sdk.board import Board, Square
from bots.sdk.failures import BotDefect

COLORS = ("X", "O")


class UnreachablePosition(BotDefect):
    """Raised if the moves do not lead from the standard starting position to the received position."""


class ReversiMoves:
    """The moves received so far, replayed on a board."""

    def __init__(self) -> None:
        self.plies: list[Square | None] = []
        self.board = Board()
        self._seen = ""

    def observe(self, shared: Mapping[str, Any], color: str) -> None:
        """Process the data that ``color``, the side to move, receives.

        Raises UnreachablePosition if the match began from another position.
        """
        moves: str = shared["moves"]
        new, self._seen = moves[len(self._seen) :], moves
        for start in range(0, len(new), 2):
            self._pass_if_stuck()
            square = self.board.board_num(new[start : start + 2])
            if square:
                self.board._move(square, COLORS[len(self.plies) % 2])
            self.plies.append(square)
        self._pass_if_stuck()
        if self.board._board != board_of(shared["board"])._board or COLORS[len(self.plies) % 2] != color:
            raise UnreachablePosition("bot.reversi.set_up")

    def _pass_if_stuck(self) -> None:
        if not any(True for _ in self.board.get_legal_actions(COLORS[len(self.plies) % 2])):
            self.plies.append(None)


def board_of(cells: str) -> Board:
    """Build a board from 64 characters, row by row."""
    board = Board()
    board._board = [list(cells[start : start + 8]) for start in range(0, 64, 8)]
    return board
