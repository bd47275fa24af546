"""Build the SVG for pictures of matches: the game's drawing and the share card around it.

All content is escaped here, so that names in a picture cannot inject markup.
"""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape, quoteattr

# A game draws its board in a square with sides of this length.
SIDE: Final = 600
# The first installed font is used; text in other writing systems uses any font that has its characters.
FONTS: Final = (
    "Inter, 'Noto Sans', 'Noto Sans CJK SC', 'Source Han Sans SC', 'Helvetica Neue', Arial, 'Liberation Sans', "
    "'DejaVu Sans', 'WenQuanYi Zen Hei', 'WenQuanYi Micro Hei', sans-serif"
)

# The colours of seats in charts, ``--hue-0`` and so on: those of the dark theme in static/css/tokens.css. Seats beyond
# the twelfth use them again, hollow.
HUES: Final = (
    "#5cb0ee",
    "#f08a63",
    "#8cc95c",
    "#cf94e6",
    "#45c4c0",
    "#ef86b4",
    "#c9c24a",
    "#98a4ff",
    "#d1a06a",
    "#5fcf9f",
    "#ff8088",
    "#a6b0bd",
)

Value = str | float


def tag(name: str, content: str = "", /, **attributes: Value) -> str:
    """Wrap ``content``, which is SVG, in an element. Underscores in attribute names become hyphens."""
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(_attribute_text(value))}" for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def rect(x: float, y: float, width: float, height: float, fill: str, **attributes: Value) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def circle(x: float, y: float, radius: float, fill: str, **attributes: Value) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def seat_hue(seat: int) -> str:
    return HUES[seat % len(HUES)]


def is_hollow(seat: int) -> bool:
    """Return whether a seat's swatch is hollow, as in static/js/charts/seat-swatches.js."""
    return seat // len(HUES) % 2 == 1


def seat_swatch(x: float, y: float, radius: float, seat: int) -> str:
    """Draw the swatch that stands for a seat in charts and precedes the player's name."""
    width = radius * 0.4
    fill = "none" if is_hollow(seat) else seat_hue(seat)
    return circle(x, y, radius - width / 2, fill, stroke=seat_hue(seat), stroke_width=width)


def text(x: float, y: float, size: float, content: str, fill: str, **attributes: Value) -> str:
    """Draw text. ``y``: the position of the baseline."""
    return tag("text", escape(content), x=x, y=y, font_size=size, fill=fill, **attributes)


def polyline(points: list[tuple[float, float]], stroke: str, width: float, **attributes: Value) -> str:
    written = " ".join(f"{_attribute_text(x)},{_attribute_text(y)}" for x, y in points)
    return tag("polyline", points=written, fill="none", stroke=stroke, stroke_width=width, **attributes)


def _attribute_text(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
