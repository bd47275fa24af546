"""Curves of the four Q-values over time, as lines in a chart that grows to the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.learning.q_learning import Lesson, Values
from arena.core.learning.two_states import RULES

# Size of the chart in SVG units, and the lowest and highest values that it can show.
WIDE: Final = 600
HIGH: Final = 200
LOWEST: Final = -20
HIGHEST: Final = 180
_DRAWN: Final = 200  # number of steps in a full curve


@dataclass(frozen=True, slots=True)
class QValueCurve:
    """One Q-value over time, up to the current step.

    ``points``: the points of an SVG polyline; ``heading``: the y coordinate of the true value, which the curve
    approaches.
    """

    name: str
    points: str
    heading: float


def curves(taught: Sequence[Lesson], last_step: int, truth: Values) -> tuple[QValueCurve, ...]:
    """Return, for each action, the curve of its value over the steps of ``taught``.

    The chart is wide enough for ``last_step``. ``truth``: the true values that the curves approach.
    """
    stride = max(last_step // _DRAWN, 1)
    shown = [lesson for lesson in taught if lesson.number % stride == 0 or lesson is taught[-1]]
    drawn = []
    for choice in RULES:
        points = (f"{WIDE * one.number / last_step:g},{_y_coordinate(one.values[choice]):g}" for one in shown)
        start = f"0,{_y_coordinate(0):g}"
        drawn.append(
            QValueCurve(f"Q({choice[0]}, {choice[1]})", " ".join([start, *points]), _y_coordinate(truth[choice]))
        )
    return tuple(drawn)


def _y_coordinate(value: float) -> float:
    """Return the y coordinate of a value; y increases downwards in SVG."""
    return round(HIGH * (HIGHEST - min(max(value, LOWEST), HIGHEST)) / (HIGHEST - LOWEST), 1)
