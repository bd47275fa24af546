"""Plays 10 in every round, which is close to the golden number at a table where one player always plays high numbers.

With two numbers, the second is 15.
"""

from typing import Any


def get_move(state: Any) -> list[float]:
    return [10.0, 15.0][: state.numbers]
