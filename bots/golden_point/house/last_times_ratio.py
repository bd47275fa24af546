"""Expects everybody to play the last golden number, and plays 0.618 of it. With two numbers it keeps the last golden
number as its second.
"""

from typing import Any


def get_move(state: Any) -> list[float]:
    last = state.golden[-1] if state.golden else 0.618 * 50
    pair = [0.618 * last, last]
    return [min(max(number, 0.001), 99.999) for number in pair[: state.numbers]]
