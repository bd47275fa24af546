"""Extrapolates the last five golden numbers linearly.

With two numbers it also plays the last golden number, in case the trend ends.
"""

from typing import Any

LENGTH = 5


def get_move(state: Any) -> list[float]:
    recent = state.golden[-LENGTH:] or [0.618 * 0.618 * 50]
    pair = [next_on_line(recent), recent[-1]]
    return [min(max(number, 0.001), 99.999) for number in pair[: state.numbers]]


def next_on_line(values: list[float]) -> float:
    """Extrapolate the least-squares line through values at 0, 1, 2, ... by one step."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    spread = sum((place - middle) ** 2 for place in range(count))
    if spread == 0:
        return mean
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(values)) / spread
    return mean + slope * (count - middle)
