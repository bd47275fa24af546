"""Data for the solver page: the value of a board and of each direction or drop, or why the board is unreachable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.fib2584.board import DIRECTIONS, DROPS, board_text, drops, empty_cells, slides, unpack
from arena.games.fib2584.site import DIRECTION_NAMES
from arena.games.fib2584.study.position_query import BoardKind, PositionQuery, query_string
from arena.games.fib2584.values import exact_values


class UnreachableReason(StrEnum):
    """The reason why a board is unreachable."""

    ONE_TILE = "one_tile"
    NOTHING_DROPPED = "nothing_dropped"
    BEFORE = "before"
    EMPTY = "empty"
    FULL = "full"
    AFTER = "after"


REASONS: Final[Mapping[UnreachableReason, Promise]] = {
    UnreachableReason.ONE_TILE: _("The board must have at least two tiles before a move."),
    UnreachableReason.NOTHING_DROPPED: _(
        "The tile that drops before each move is a 1 or a 2, but this board has neither."
    ),
    UnreachableReason.BEFORE: _(
        "This board is unreachable: no move could have led to it, whichever of its 1 and 2 tiles dropped last."
    ),
    UnreachableReason.EMPTY: _("After a move, the board cannot be empty."),
    UnreachableReason.FULL: _(
        "After a move, the board must have at least one empty cell, because the next tile drops there."
    ),
    UnreachableReason.AFTER: _("This board is unreachable: it cannot occur right after a move in any game."),
}


@dataclass(frozen=True, slots=True)
class Slide:
    """A legal direction.

    ``value``: reward + V(after); ``lost``: its regret; ``query``: query string of the resulting board.
    """

    name: str | Promise
    reward: int
    board: str
    after: float
    value: float
    lost: float
    query: str


@dataclass(frozen=True, slots=True)
class Drop:
    """A possible drop. ``luck``: the change in the board's value."""

    cell: int
    tile: int
    probability: float
    board: str
    value: float
    luck: float
    query: str


@dataclass(frozen=True, slots=True)
class BoardLookup:
    """The result of a lookup. ``value``: None if the board is unreachable; ``why``: why it is unreachable."""

    board: str
    kind: BoardKind
    value: float | None
    why: UnreachableReason | None = None
    slides: tuple[Slide, ...] = ()
    drops: tuple[Drop, ...] = ()

    @property
    def reason(self) -> Promise | str:
        """Return why the board is unreachable, as a sentence."""
        return REASONS[self.why] if self.why else ""

    @property
    def is_over(self) -> bool:
        """Return whether the game is over: no direction is legal."""
        return self.value is not None and self.kind is BoardKind.BEFORE and not self.slides


def look_up(query: PositionQuery) -> BoardLookup:
    """Look up the exact values of a board."""
    shown = board_text(query.board)
    if query.kind is BoardKind.BEFORE:
        if not exact_values().is_reachable_before_move(query.board):
            return BoardLookup(shown, query.kind, None, _reason_unreachable_before(query.board))
        return BoardLookup(
            shown, query.kind, exact_values().value_before_move(query.board), slides=_slides(query.board)
        )
    if not exact_values().is_reachable_before_drop(query.board):
        return BoardLookup(shown, query.kind, None, _reason_unreachable_after(query.board))
    return BoardLookup(shown, query.kind, exact_values().value_before_drop(query.board), drops=_drops(query.board))


def _slides(board: int) -> tuple[Slide, ...]:
    worth = exact_values().direction_values(board)
    best = max(worth.values(), default=0.0)
    found = [
        Slide(
            DIRECTION_NAMES[DIRECTIONS[direction]],
            reward,
            board_text(slid),
            worth[direction] - reward,
            worth[direction],
            best - worth[direction],
            query_string(BoardKind.AFTER, slid),
        )
        for direction, slid, reward in slides(board)
    ]
    return tuple(sorted(found, key=lambda one: one.lost))


def _drops(board: int) -> tuple[Drop, ...]:
    value = exact_values().value_before_drop(board)
    found = [
        Drop(cell, tile, probability, board_text(after), worth, worth - value, query_string(BoardKind.BEFORE, after))
        for after, cell, tile, probability in drops(board)
        for worth in (exact_values().value_before_move(after),)
    ]
    return tuple(sorted(found, key=lambda one: (-one.probability, -one.value)))


def _reason_unreachable_before(board: int) -> UnreachableReason:
    tiles = unpack(board)
    low = {index for index, _chance in DROPS}
    if sum(map(bool, tiles)) < 2:
        return UnreachableReason.ONE_TILE
    return UnreachableReason.BEFORE if low & set(tiles) else UnreachableReason.NOTHING_DROPPED


def _reason_unreachable_after(board: int) -> UnreachableReason:
    if not any(unpack(board)):
        return UnreachableReason.EMPTY
    return UnreachableReason.AFTER if empty_cells(board) else UnreachableReason.FULL
