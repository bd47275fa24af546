"""Expects everybody to play the last golden number, and plays 0.618 times that number.

With two numbers, the second is the last golden number itself.
"""

from typing import Any


def get_move(state: Any) -> list[float]:
    last = state.golden[-1] if state.golden else 0.618 * 50
    pair = [0.618 * last, last]
    return [min(max(number, 0.001), 99.999) for number in pair[: state.numbers]]
