"""Lines of Reversi: a starting position and the moves from there, independent of any match.

Invariants: the moves of a line are legal, passes are omitted, and at least one side can move at the start. A board is
64 characters, X for black, O for white and a dot for an empty square, from A1 row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.games.base import Audience
from arena.games.reversi.rules import COLORS, SQUARES, ReversiGame, ReversiState, legal_squares

EMPTY: Final = "."
USUAL_BOARD: Final = EMPTY * 27 + "OX" + EMPTY * 6 + "XO" + EMPTY * 27

_RULES: Final = ReversiGame()


class LineProblem(StrEnum):
    """The reason why a line is invalid; the values are sentences with placeholders."""

    NOTHING = "The text is empty. Enter moves, a board or GGF."
    TOO_LONG = "The text is too long for one match. Paste a single match."
    UNREADABLE = "%(found)s is neither a move (like F5) nor any other part of a match record. Remove it."
    NOT_A_BOARD = "A board has 64 squares, not %(squares)s. Write X for black, O for white and - for empty."
    STRANGE_CELL = "%(found)s cannot appear on a board. Write X for black, O for white and - for empty."
    NO_SIDE = "The side to move is missing. Add X or O after the board."
    NOBODY_MOVES = "Neither side has a legal move in this position. Enter another position."
    ILLEGAL = "Move %(number)s, %(move)s, is not legal. Choose a legal move for %(side)s: %(legal)s."
    MATCH_IS_OVER = "Move %(number)s, %(move)s, comes after the end of the match. Remove it."
    WRONG_SIDE = "Move %(number)s, %(move)s, is attributed to %(stated)s, but %(side)s is to move. Correct it."
    NO_PASS = "There is a pass before move %(number)s, but %(side)s has a move. Remove the pass."  # noqa: S105 - a turn, not a password
    NO_GGF = "The GGF text contains no position: BO[8 …] is missing. Paste the whole text."
    OTHER_BOARD = "Only matches on 8 × 8 boards can be read, but this board's size is %(size)s. Paste another match."
    OTHER_GAME = "This GGF text is a record of %(game)s, not Othello. Paste an Othello match."
    SEVERAL = "The text contains several matches. Keep only one."


class LineError(ValueError):
    """An invalid line; ``problem`` and ``details`` give the reason independently of the reader's language."""

    def __init__(self, problem: LineProblem, details: Mapping[str, str | int] | None = None) -> None:
        self.problem, self.details = problem, dict(details or {})
        super().__init__(problem.value % self.details)


@dataclass(frozen=True, slots=True)
class Line:
    """A starting position and moves.

    ``side``: the side to move at the start, "X" or "O"; ``moves``: squares such as "F5".
    """

    board: str = USUAL_BOARD
    side: str = COLORS[0]
    moves: tuple[str, ...] = ()

    @property
    def is_standard_start(self) -> bool:
        """Return whether the line starts from the standard starting position."""
        return self.board == USUAL_BOARD and self.side == COLORS[0]

    def states(self) -> list[ReversiState]:
        """Return the starting position and the position after every move; raises LineError."""
        found = [start_position(self.board, self.side)]
        if found[0].to_move is None:
            raise LineError(LineProblem.NOBODY_MOVES)
        for number, move in enumerate(self.moves, start=1):
            found.append(play_move(found[-1], move, number))
        return found


def start_position(board: str, side: str) -> ReversiState:
    """Return the position with ``side`` to move, or with the other side to move if ``side`` has to pass.

    Raises LineError.
    """
    if len(board) != len(SQUARES):
        raise LineError(LineProblem.NOT_A_BOARD, {"squares": len(board)})
    strange = sorted(set(board) - {*COLORS, EMPTY})
    if strange:
        raise LineError(LineProblem.STRANGE_CELL, {"found": strange[0]})
    if side not in COLORS:
        raise LineError(LineProblem.NO_SIDE)
    discs = (_disc_set(board, COLORS[0]), _disc_set(board, COLORS[1]))
    seat = COLORS.index(side)
    for to_move, passed in ((seat, None), (1 - seat, seat)):
        legal = legal_squares(discs[to_move], discs[1 - to_move])
        if legal:
            return ReversiState(discs, to_move, legal, passed=passed)
    return ReversiState(discs, None, 0)


def play_move(state: ReversiState, move: str, number: int) -> ReversiState:
    """Return the position after a move. ``number``: identifies an illegal move in the error. Raises LineError."""
    details: dict[str, str | int] = {"number": number, "move": move}
    if state.to_move is None:
        raise LineError(LineProblem.MATCH_IS_OVER, details)
    legal: Sequence[str] = _RULES.view(state, Audience.EVERYBODY)["legal"]
    if move not in legal:
        raise LineError(LineProblem.ILLEGAL, details | {"side": COLORS[state.to_move], "legal": " ".join(legal)})
    return _RULES.apply(state, {state.to_move: move})


def board_text(state: ReversiState) -> str:
    board: str = _RULES.view(state, Audience.EVERYBODY)["board"]
    return board


def final_lead(state: ReversiState) -> int:
    """Return black's lead in discs in a finished match; empty squares count for the winner."""
    outcome = _RULES.outcome(state)
    if outcome is None:
        raise ValueError("The match is not over.")
    return int(outcome.margins[0])


def ended_with_empty_squares(state: ReversiState) -> bool:
    """Return whether the match was won before the board was full; its margin then exceeds the difference in discs."""
    black, white = state.discs
    return state.to_move is None and (black | white).bit_count() < 64 and black.bit_count() != white.bit_count()


def _disc_set(board: str, color: str) -> int:
    return sum(1 << index for index, cell in enumerate(board) if cell == color)
