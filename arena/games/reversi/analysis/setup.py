"""A position set up by a reader: parse it from the URL, and apply clicks to it.

Invariant: everything is in the URL, which is a permalink; a board without legal moves is shown with a message, because
the reader may still be placing discs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from arena.games.reversi.lines import EMPTY, USUAL_BOARD, Line, LineError, LineProblem, board_text, start_position
from arena.games.reversi.notation import read_moves
from arena.games.reversi.rules import COLORS, SQUARES

BARE_BOARD: Final = EMPTY * len(SQUARES)
_HANDS: Final = ("", *COLORS, EMPTY)


@dataclass(frozen=True, slots=True)
class PositionSetup:
    """A position being set up.

    ``moves``: the moves played from the board; ``at``: how many of them are shown, None for all; ``hand``: what a click
    places on a square (X, O, or a dot for empty), "" if a click plays a move.
    """

    board: str = USUAL_BOARD
    side: str = COLORS[0]
    moves: str = ""
    at: int | None = None
    hand: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> PositionSetup:
        """Parse a query; raises LineError for an invalid board."""
        board, side = query.get("board") or USUAL_BOARD, query.get("side") or COLORS[0]
        start_position(board, side)
        at, hand = query.get("at", ""), query.get("hand", "")
        return cls(
            board,
            side,
            query.get("moves", "")[:400],
            int(at) if at.isdecimal() and len(at) < 4 else None,
            hand if hand in _HANDS else "",
        )

    @classmethod
    def from_line(cls, line: Line) -> PositionSetup:
        return cls(line.board, line.side, "".join(line.moves))

    def line(self) -> Line:
        """Return the line of moves from the board. Raises LineError if it is invalid, or if neither side can move."""
        return read_moves(self.moves, Line(self.board, self.side))

    def query(self, **changes: str) -> str:
        """Return the query string of this setup, with these changes."""
        usual = self.board == USUAL_BOARD and self.side == COLORS[0]
        values = {
            **({} if usual else {"board": self.board, "side": self.side}),
            **({"moves": self.moves} if self.moves else {}),
            **({"at": str(self.at)} if self.at is not None else {}),
            **({"hand": self.hand} if self.hand else {}),
            **changes,
        }
        return urlencode(values)

    def displayed_board(self) -> tuple[str, str]:
        """Return the displayed board and the side to move. Raises LineError."""
        if not self.moves:
            opened = start_position(self.board, self.side)
            return self.board, self.side if opened.to_move is None else COLORS[opened.to_move]
        states = self.line().states()
        state = states[-1 if self.at is None else min(self.at, len(states) - 1)]
        return board_text(state), COLORS[state.to_move or 0]

    def after_click(self, square: str) -> PositionSetup:
        """Return the setup after a click, which plays a move or changes the square's content. Raises LineError."""
        if square not in SQUARES:
            raise LineError(LineProblem.UNREADABLE, {"found": square[:12]})
        if self.hand:
            board, side = self.displayed_board()
            place = SQUARES.index(square)
            put = EMPTY if board[place] == self.hand else self.hand
            return PositionSetup(board[:place] + put + board[place + 1 :], side, hand=self.hand)
        kept = self.moves if self.at is None else self.moves[: 2 * self.at]
        line = read_moves(square, Line(self.board, self.side, _split_moves(kept)))
        return PositionSetup(line.board, line.side, "".join(line.moves))

    def with_side_to_move(self, side: str) -> PositionSetup:
        """Return the displayed position with ``side`` to move. Raises LineError."""
        board, _side = self.displayed_board()
        if side not in COLORS:
            raise LineError(LineProblem.NO_SIDE)
        return replace(self, board=board, side=side, moves="", at=None)


def _split_moves(moves: str) -> tuple[str, ...]:
    return tuple(moves[at : at + 2].upper() for at in range(0, len(moves), 2))
