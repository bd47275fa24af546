"""Draw a Reversi position as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.drawing import SIDE, circle, rect, text

_EDGE: Final = 36
_CELL: Final = (SIDE - 2 * _EDGE) / 8
_DISCS: Final = {"X": "#1c1a18", "O": "#fbf8f0"}
_LABEL: Final = "#dcead9"


def picture(views: Sequence[Mapping[str, Any]]) -> str:
    """Draw the newest position with its last move marked."""
    view = views[-1]
    drawn = [rect(0, 0, SIDE, SIDE, "#17472f", rx=12), *_labels()]
    for index, cell in enumerate(view["board"]):
        row, column = divmod(index, 8)
        x, y = _EDGE + column * _CELL, _EDGE + row * _CELL
        is_last = view["last"] == f"{'ABCDEFGH'[column]}{row + 1}"
        drawn.append(rect(x + 1, y + 1, _CELL - 2, _CELL - 2, "#6f9247" if is_last else "#24724f"))
        if cell in _DISCS:
            drawn.append(circle(x + _CELL / 2, y + _CELL / 2, _CELL * 0.4, _DISCS[cell]))
    return "".join(drawn)


def _labels() -> list[str]:
    found = []
    for place in range(8):
        middle = _EDGE + (place + 0.5) * _CELL
        found.append(text(middle, _EDGE * 0.7, 20, "ABCDEFGH"[place], _LABEL, text_anchor="middle"))
        found.append(text(_EDGE / 2, middle + 7, 20, str(place + 1), _LABEL, text_anchor="middle"))
    return found
