"""Parse and write the board in a solver URL, ``?before=2-2-0-0-0-0`` or ``?after=…``: six tile indices, row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _

from arena.games.fib2584.board import CELLS, TILES, pack, unpack

_SEPARATOR: Final = re.compile(r"[-, ]")
_INDEX: Final = re.compile(r"[0-9]{1,2}", re.ASCII)


class BoardKind(StrEnum):
    """The kind of a board, by its next event: a slide or a drop."""

    BEFORE = "before"  # the player moves
    AFTER = "after"  # a tile drops


class QueryError(ValueError):
    """Raised for a URL without a valid board; the reader sees its message, and ``code`` identifies the error."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class PositionQuery:
    """A board to look up."""

    kind: BoardKind
    board: int

    @property
    def is_before(self) -> bool:
        return self.kind is BoardKind.BEFORE

    @property
    def query(self) -> str:
        return query_string(self.kind, self.board)


FIRST: Final = PositionQuery(BoardKind.BEFORE, pack((2, 2, 0, 0, 0, 0)))


def query_string(kind: BoardKind, board: int) -> str:
    """Return the query string of the solver's URL for this board."""
    return f"{kind}={'-'.join(map(str, unpack(board)))}"


def parse_query(parameters: Mapping[str, str]) -> PositionQuery:
    """Parse the board in a URL; without one, return the default board. Raises QueryError."""
    kinds = [kind for kind in BoardKind if kind in parameters]
    if not kinds:
        return FIRST
    if len(kinds) > 1:
        raise QueryError(
            _("The URL contains two boards. Keep only one of the parameters “before” and “after”."), "two_boards"
        )
    return PositionQuery(kinds[0], _board(_SEPARATOR.split(parameters[kinds[0]])))


def parse_form(kind: str, cells: Sequence[str]) -> PositionQuery:
    """Parse the board in the form: its kind, and a tile index for each cell. Raises QueryError."""
    if kind not in set(BoardKind):
        raise QueryError(_("Choose whether you move next or a new tile appears next."), "no_kind")
    return PositionQuery(BoardKind(kind), _board(cells))


def _board(words: Sequence[str]) -> int:
    if len(words) != CELLS:
        raise QueryError(
            _("A board has six tiles, not %(count)s. Enter six tiles, separated by hyphens.") % {"count": len(words)},
            "tile_count",
        )
    wrong = next((word for word in words if not _INDEX.fullmatch(word) or int(word) >= len(TILES)), None)
    if wrong is not None:
        text = _("“%(tile)s” is not a tile. Enter each tile as a number from 0 (empty) to 12 (the tile 233).")
        raise QueryError(text % {"tile": wrong[:20]}, "no_tile")
    return pack([int(word) for word in words])
