"""Draw a golden-point match as SVG: the golden numbers and the players' numbers of the last few rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.drawing import SIDE, Value, circle, is_hollow, polyline, rect, seat_hue, tag, text

_ROUNDS: Final = 40  # maximum number of rounds shown
_EDGE: Final = 56
_PLOT: Final = SIDE - 2 * _EDGE
_GROUND, _GRID, _INK, _GOLD = "#1d2531", "#354154", "#b9c4d4", "#e5b23c"
_MIN_SCALE: Final = 10.0  # top of the scale if all numbers are small
_DOTS: Final = 24  # maximum number of players whose numbers are drawn: there are no more distinct colours
_FILLED: Final[Mapping[str, Value]] = {"stroke_width": 8, "stroke_linecap": "round", "stroke_opacity": 0.7}
_RING: Final[Mapping[str, Value]] = {"fill": "none", "stroke_width": 2, "stroke_opacity": 0.9}


def picture(views: Sequence[Mapping[str, Any]]) -> str:
    """Draw the most recent rounds."""
    played = [view for view in views[-_ROUNDS:] if view.get("golden") is not None]
    top = _top(played)
    drawn = [rect(0, 0, SIDE, SIDE, _GROUND, rx=12)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _y(share * top, top)
        drawn.append(polyline([(_EDGE, y), (SIDE - _EDGE / 2, y)], _GRID, 1.5))
        drawn.append(text(_EDGE - 8, y + 6, 18, f"{share * top:g}", _INK, text_anchor="end"))
    drawn += [_numbers(played, seat, top) for seat in range(min(_DOTS, _seats(played)))]
    line = [(x, _y(view["golden"], top)) for view, x in zip(played, _columns(len(played)), strict=True)]
    drawn.append(polyline(line, _GOLD, 5, stroke_linejoin="round"))
    if line:
        drawn.append(circle(*line[-1], 9, _GOLD))
        label = f"G = {played[-1]['golden']:.2f}"
        drawn.append(text(SIDE - _EDGE / 2, _EDGE * 0.65, 26, label, _GOLD, text_anchor="end", font_weight=700))
    return "".join(drawn)


def _top(played: Sequence[Mapping[str, Any]]) -> float:
    """Return the top of the scale.

    It is the first of 10, 20, 40 and 80 to reach twice the largest golden number, or 100 if none does.
    """
    largest = max((view["golden"] for view in played), default=0.0)
    top = _MIN_SCALE
    while top < 2 * largest and top < 80:
        top *= 2
    return top if top >= 2 * largest else 100.0


def _columns(count: int) -> list[float]:
    room = _PLOT + _EDGE / 2
    return [_EDGE + room * (index + 0.5) / max(count, 8) for index in range(count)]


def _y(value: float, top: float) -> float:
    return _EDGE + _PLOT * (1 - min(value, top) / top)


def _seats(played: Sequence[Mapping[str, Any]]) -> int:
    return len(played[-1]["numbers"]) if played else 0


def _numbers(played: Sequence[Mapping[str, Any]], seat: int, top: float) -> str:
    """Draw a seat's numbers as in the chart on the page: as dots, or as arrows at the edge if they are off the scale.

    An animation has many frames, so all dots share one path, as zero-length segments with round line caps.
    """
    columns = zip(played, _columns(len(played)), strict=True)
    placed = [(x, number) for view, x in columns for number in view["numbers"][seat] or ()]
    hue = seat_hue(seat)
    draw_dot, look = (_ring, _RING) if is_hollow(seat) else (_dot, _FILLED)
    dots = "".join(draw_dot(x, _y(number, top)) for x, number in placed if number <= top)
    arrows = "".join(f"M{x:.0f} {_EDGE - 13}l7 11h-14z" for x, number in placed if number > top)
    drawn = tag("path", d=dots, stroke=hue, **look) if dots else ""
    return drawn + (tag("path", d=arrows, fill=hue) if arrows else "")


def _dot(x: float, y: float) -> str:
    return f"M{x:.0f} {y:.0f}h0"


def _ring(x: float, y: float) -> str:
    return f"M{x - 3:.0f} {y:.0f}a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
