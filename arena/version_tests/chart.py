"""An SVG chart of how a version test's two log-likelihood ratios develop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.ranking.version_test import Bounds

WIDTH: Final = 600
HEIGHT: Final = 200
_MARGIN: Final = 1.2  # multiple of the larger bound, so that the last pair visibly crosses it
_MAX_POINTS: Final = 300


@dataclass(frozen=True, slots=True)
class Chart:
    """The paths in a view box of ``width`` by ``height``; ``upper``, ``zero`` and ``lower``: y coordinates of lines."""

    width: int
    height: int
    upper: float
    zero: float
    lower: float
    better: str
    worse: str


def chart_of(ratios: Sequence[tuple[float, float]], bounds: Bounds) -> Chart:
    """Return the chart of a version test.

    ``ratios``: the log-likelihood ratios of "better" and "worse" after each counted pair; both begin at 0.
    """
    top = max(bounds.upper, -bounds.lower) * _MARGIN

    def height(ratio: float) -> float:
        inside = max(-top, min(top, ratio))
        return round(HEIGHT / 2 * (1 - inside / top), 1)

    def path(values: Sequence[float]) -> str:
        step = WIDTH / max(1, len(ratios))
        every = -(-len(values) // _MAX_POINTS)
        places = sorted({*range(0, len(values), every), len(values) - 1})
        return "M" + " L".join(f"{round(place * step, 1)} {height(values[place])}" for place in places)

    return Chart(
        WIDTH,
        HEIGHT,
        height(bounds.upper),
        height(0),
        height(bounds.lower),
        path([0, *(better for better, _ in ratios)]),
        path([0, *(worse for _, worse in ratios)]),
    )
