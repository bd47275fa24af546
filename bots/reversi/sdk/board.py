"""The Reversi board that bots receive: the public surface of the miniAlphaGo course's ``Board``.

Invariants: squares are strings such as "D3" (column, row) or pairs (row, column) that count from 0; the order of
returned squares is part of the contract, because bots that take the first one, or choose with a seed, depend on it.
Everything goes through ``_board``, because bots read it, copy it and assign to it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

Square = tuple[int, int]

EMPTY = "."
_NAMES = [[f"{column}{row}" for column in "ABCDEFGH"] for row in "12345678"]
_NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
_LINES = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


class Board:
    """A position: ``board[row][column]`` is "X" (black), "O" (white) or ".". Rows and columns count from 0.

    A new board has the initial position, and ``copy.deepcopy(board)`` returns an independent copy, for example for a
    tree search.

    ``empty``: the symbol of an empty square.
    """

    empty: str

    def __init__(self) -> None:
        self.empty = EMPTY
        self._board = [[EMPTY] * 8 for _ in range(8)]
        self._board[3][3] = self._board[4][4] = "O"
        self._board[3][4] = self._board[4][3] = "X"

    def __getitem__(self, row: int) -> list[str]:
        return self._board[row]

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        """Return an independent copy.

        Bots make thousands of copies a second, and this is many times faster than the default.
        """
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if name == "_board" and isinstance(value, list):
                twin._board = memo[id(value)] = [row[:] if type(row) is list else copy.deepcopy(row) for row in value]
            else:
                setattr(twin, name, copy.deepcopy(value, memo))
        return twin

    def display(self, step_time: dict[str, Any] | None = None, total_time: dict[str, Any] | None = None) -> None:
        """Print the position.

        Below it, print each side's disc count and the seconds it took for its last move and for all its moves.
        """
        step_time = step_time or {"X": 0, "O": 0}
        total_time = total_time or {"X": 0, "O": 0}
        print("  " + " ".join("ABCDEFGH"))
        for number, row in enumerate(self._board, start=1):
            print(number, " ".join(row))
        print("discs / last move / all moves")
        for color, name in (("X", "black"), ("O", "white")):
            print(f"{name} {color}: {self.count(color)} / {step_time[color]} / {total_time[color]}")
        print()

    def count(self, color: str) -> int:
        """Return how many squares contain this symbol: "X", "O", or "." for empty."""
        return sum(square == color for row in self._board for square in row)

    def get_winner(self) -> tuple[int, int]:
        """Return the winner by discs: (0, difference) for black, (1, difference) for white, (2, 0) for a draw."""
        lead = self.count("X") - self.count("O")
        if lead == 0:
            return 2, 0
        return (0, lead) if lead > 0 else (1, -lead)

    def get_legal_actions(self, color: str) -> Iterator[str]:
        """Yield the legal squares of a side, as strings.

        Their order follows the opponent's discs row by row and, for each disc, its empty neighbours, without
        duplicates.
        """
        for row, column in self._empty_neighbours(_other(color)):
            if self._can_fliped((row, column), color):
                yield _NAMES[row][column]

    def _empty_neighbours(self, color: str) -> list[Square]:
        # The empty squares next to the discs of one colour, each once.
        rows = self._board
        found: dict[Square, None] = {}
        for row in range(8):
            for column in range(8):
                if rows[row][column] != color:
                    continue
                for down, right in _NEIGHBOURS:
                    x, y = row + down, column + right
                    if 0 <= x < 8 and 0 <= y < 8 and rows[x][y] == EMPTY:
                        found[x, y] = None
        return list(found)

    def _move(self, action: str | Square, color: str) -> list[str] | bool:
        """Play a move.

        Return the flipped squares as strings; if the move is illegal, change nothing and return False.
        """
        flipped = self._can_fliped(action, color)
        if isinstance(flipped, bool):
            return False
        for square in (action, *flipped):
            row, column = self._coordinates(square)
            self._board[row][column] = color
        return flipped

    def _can_fliped(self, action: str | Square, color: str) -> list[str] | bool:
        """Return the squares that a move would flip, or False if it is illegal.

        In each direction, the squares are listed from the farthest to the nearest.
        """
        square = self._coordinates(action)
        rows, other = self._board, _other(color)
        if square is None or not self.is_on_board(*square) or rows[square[0]][square[1]] != EMPTY:
            return False
        flipped: list[str] = []
        for down, right in _LINES:
            row, column = square[0] + down, square[1] + right
            length = 0
            while 0 <= row < 8 and 0 <= column < 8 and rows[row][column] == other:
                row, column, length = row + down, column + right, length + 1
            if not length or not (0 <= row < 8 and 0 <= column < 8) or rows[row][column] != color:
                continue
            flipped += [_NAMES[row - down * step][column - right * step] for step in range(1, length + 1)]
        return flipped or False

    def backpropagation(self, action: str | Square, flipped_pos: Iterable[str | Square], color: str) -> None:
        """Undo a move of ``color`` that flipped these squares."""
        row, column = self._coordinates(action)
        self._board[row][column] = EMPTY
        for square in flipped_pos:
            row, column = self._coordinates(square)
            self._board[row][column] = _other(color)

    def is_on_board(self, x: int, y: int) -> bool:
        """Return whether row ``x`` and column ``y`` exist."""
        return 0 <= x < 8 and 0 <= y < 8

    def board_num(self, action: Any) -> Square | None:
        """Convert a string such as "D3" to (row, column); return None if it is malformed."""
        if not isinstance(action, str) or len(action) != 2:
            return None
        row, column = "12345678".find(action[1]), "ABCDEFGH".find(action[0].upper())
        return None if row < 0 or column < 0 else (row, column)

    def num_board(self, action: Any) -> str | None:
        """Convert (row, column) to a string such as "D3"; return None if there is no such square."""
        row, column = action
        return _NAMES[row][column] if row in range(8) and column in range(8) else None

    def _coordinates(self, square: str | Square) -> Any:
        """Return the square as (row, column)."""
        return self.board_num(square) if isinstance(square, str) else square


def _other(color: str) -> str:
    """Return the opponent's colour; everything except "X" counts as "O", as on the course's board."""
    return "O" if color == "X" else "X"
