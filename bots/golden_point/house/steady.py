"""Plays 10 in every round, near the golden numbers of a table at which somebody always plays high numbers. With two
numbers it adds 15.
"""

from typing import Any


def get_move(state: Any) -> list[float]:
    return [10.0, 15.0][: state.numbers]
