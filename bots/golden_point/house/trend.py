"""Draws the best straight line through the last five golden numbers and plays where it goes next. With two numbers
it plays the last golden number as well, in case the trend is over."""

from typing import Any

LENGTH = 5


def get_move(state: Any) -> list[float]:
    recent = state.golden[-LENGTH:] or [0.618 * 0.618 * 50]
    pair = [next_on_line(recent), recent[-1]]
    return [min(max(number, 0.001), 99.999) for number in pair[: state.numbers]]


def next_on_line(values: list[float]) -> float:
    """The least-squares line through values at 0, 1, 2, ..., read off one step further."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    spread = sum((place - middle) ** 2 for place in range(count))
    if spread == 0:
        return mean
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(values)) / spread
    return mean + slope * (count - middle)
