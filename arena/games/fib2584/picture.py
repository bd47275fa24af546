"""Draw boards of 2584 as SVG: one large board, or the boards of the first four seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.drawing import SIDE, rect, tag, text
from arena.games.fib2584.board import COLUMNS, TILES

_MAX_BOARDS: Final = 4
_GAP: Final = 12
_GROUND, _EMPTY, _INK, _DARK_INK = "#2f3a4c", "#435066", "#ffffff", "#2a2118"
# By tile index, from the smallest tile to the largest.
_FILLS: Final = (
    _EMPTY,
    "#efe6d8",
    "#eddcb9",
    "#f2c48d",
    "#f2ad74",
    "#ef9060",
    "#e8744e",
    "#dd5a45",
    "#c9474f",
    "#ad3d61",
    "#8a3a74",
    "#653a80",
    "#3f3a86",
)
_LIGHT: Final = 4  # tiles up to this index have dark digits


def picture(views: Sequence[Mapping[str, Any]]) -> str:
    """Draw the boards after the newest turn."""
    boards = views[-1]["boards"][:_MAX_BOARDS]
    if len(boards) == 1:
        return tag("g", _board(boards[0], SIDE), transform=f"translate(0 {(SIDE - _height(SIDE)) / 2:.1f})")
    columns = 1 if len(boards) == 2 else 2
    width = (SIDE - _GAP) / 2 * (2 if columns == 1 else 1)
    width = min(width, (SIDE - _GAP) / 2 * 1.5)
    height = _height(width)
    left = (SIDE - columns * width - (columns - 1) * _GAP) / 2
    rows = -(-len(boards) // columns)
    top = (SIDE - rows * height - (rows - 1) * _GAP) / 2
    placed = []
    for index, board in enumerate(boards):
        row, column = divmod(index, columns)
        x, y = left + column * (width + _GAP), top + row * (height + _GAP)
        placed.append(tag("g", _board(board, width), transform=f"translate({x:.1f} {y:.1f})"))
    return "".join(placed)


def _height(width: float) -> float:
    """Return the height of a board of two rows and three columns."""
    return (width - _GAP) / COLUMNS * 2 + _GAP


def _board(digits: str, width: float) -> str:
    """Draw a board. ``digits``: six hexadecimal tile indices, as in the view."""
    cell = (width - _GAP) / COLUMNS
    drawn = [rect(0, 0, width, _height(width), _GROUND, rx=_GAP)]
    for place, digit in enumerate(digits):
        row, column = divmod(place, COLUMNS)
        x, y, index = _GAP / 2 + column * cell, _GAP / 2 + row * cell, int(digit, 16)
        drawn.append(rect(x + _GAP / 2, y + _GAP / 2, cell - _GAP, cell - _GAP, _FILLS[index], rx=_GAP * 0.7))
        if index:
            ink = _DARK_INK if index <= _LIGHT else _INK
            size = cell * 0.36
            label = str(TILES[index])
            drawn.append(
                text(x + cell / 2, y + cell / 2 + size * 0.36, size, label, ink, text_anchor="middle", font_weight=700)
            )
    return "".join(drawn)
