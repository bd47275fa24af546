"""The moves of a Reversi match, found by the rules from the positions that a seat is shown.

Invariant: ``plies`` alternate, black first, None where a side had to pass; played from the start they are legal and
give the position that was seen last. Where the opponent moved three times in a row, they may stand in another order
than they were played in. Rows and columns count from 0.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bots.sdk.board import Board, Square
from bots.sdk.failures import Finding

COLORS = ("X", "O")
# Between two turns of a seat there are few moves; more would take long to find, and some could not be told apart.
_MOST_NEW = 10


class NotFollowed(Finding):
    """The game did not go from the position seen before to this one, as far as can be found out."""


class ReversiMoves:
    """``opening``: the moves before the first turn, as the match's settings write them."""

    def __init__(self, load: Mapping[str, Any]) -> None:
        self.plies: list[Square | None] = []
        self.board = Board()
        opening: str = load["settings"].get("opening", "")
        for start in range(0, len(opening), 2):
            self._pass_if_stuck()
            _play(self.board, self.board.board_num(opening[start : start + 2]), self.plies)

    def see(self, cells: str, color: str, last: str | None = None) -> None:
        """The position of 64 characters in which ``color`` is to move, and the last move; raises NotFollowed."""
        target = _Target(board_of(cells)._board, color, self.board.board_num(last))
        new = [(row, column) for row in range(8) for column in range(8) if target.fills(self.board, row, column)]
        found = _path(self.board, self.plies, new, target) if len(new) <= _MOST_NEW else None
        if found is None:
            raise NotFollowed(
                "A script that is told the moves has to be asked in every turn of the match: "
                "those before this position are not known."
            )
        self.board, self.plies = found

    def _pass_if_stuck(self) -> None:
        if not any(True for _ in self.board.get_legal_actions(COLORS[len(self.plies) % 2])):
            self.plies.append(None)


@dataclass(frozen=True, slots=True)
class _Target:
    """Where moves shall lead: the rows, who is to move then, and the last move if that is known."""

    rows: list[list[str]]
    color: str
    last: Square | None

    def fills(self, board: Board, row: int, column: int) -> bool:
        return self.rows[row][column] != board.empty and board[row][column] == board.empty


def _path(
    board: Board, plies: list[Square | None], new: list[Square], target: _Target
) -> tuple[Board, list[Square | None]] | None:
    """The position and the moves that lead from ``board`` to the target over the squares ``new``."""
    mover = COLORS[len(plies) % 2]
    if not new:
        if board._board != target.rows:
            return None
        return (board, plies) if mover == target.color else (board, [*plies, None])
    legal = [square for square in new if board._can_fliped(square, mover)]
    if not legal:
        stuck = not any(True for _ in board.get_legal_actions(mover))
        return _path(board, [*plies, None], new, target) if stuck else None
    for square in legal:
        if square == target.last and len(new) > 1:
            continue
        after, moves = copy.deepcopy(board), [*plies]
        _play(after, square, moves)
        found = _path(after, moves, [other for other in new if other != square], target)
        if found:
            return found
    return None


def _play(board: Board, square: Square | None, plies: list[Square | None]) -> None:
    if square is not None:
        board._move(square, COLORS[len(plies) % 2])
    plies.append(square)


def board_of(cells: str) -> Board:
    """The position of 64 characters, row by row."""
    board = Board()
    board._board = [list(cells[start : start + 8]) for start in range(0, 64, 8)]
    return board
