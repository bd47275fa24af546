"""Template tags for drawing a Reversi position."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.utils.translation import gettext as _

register = template.Library()

COLUMNS = "ABCDEFGH"
OPENING = "." * 27 + "OX" + "." * 6 + "XO" + "." * 27  # white D4 and E5, black E4 and D5
# Squares whose lower right corner is one of the board's four marked points.
POINTS = {"B2", "F2", "B6", "F6"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square; ``side`` is "X", "O" or "" if it is empty."""

    name: str
    side: str
    has_point: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of the board from A to H; ``number`` counts from 1 at the top."""

    number: int
    squares: tuple[Square, ...]


@register.filter
def board_rows(board: str) -> list[BoardRow]:
    """Split 64 characters, starting with A1, into rows; if there is no position, use the standard starting position."""
    cells = board if len(board or "") == 64 else OPENING
    return [
        BoardRow(row + 1, tuple(_square(f"{COLUMNS[column]}{row + 1}", cells[row * 8 + column]) for column in range(8)))
        for row in range(8)
    ]


def _square(name: str, cell: str) -> Square:
    return Square(name, "" if cell == "." else cell, name in POINTS)


@register.filter
def board_text(board: str) -> str:
    """Describe the position in one sentence for screen readers."""
    cells = board if len(board or "") == 64 else OPENING
    return _("Reversi board: black has %(black)s discs, white has %(white)s.") % {
        "black": cells.count("X"),
        "white": cells.count("O"),
    }
