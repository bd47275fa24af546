"""Plays a huge number that raises the golden number, and aims its other number at the result.

With one number per round, it plays the huge number only in every fifth round, and otherwise predicts the golden number
from the others' last numbers.
"""

from typing import Any

HUGE = 99.9


def get_move(state: Any) -> list[float]:
    others = last_numbers_of_others(state) or [0.618 * 50] * (state.players - 1)
    if state.numbers == 2:
        return [golden_number_to_hit(others, [HUGE]), HUGE]
    return [HUGE if state.round % 5 == 0 else golden_number_to_hit(others, [])]


def last_numbers_of_others(state: Any) -> list[float]:
    if not state.history:
        return []
    played = [numbers for seat, numbers in enumerate(state.history[-1]) if seat != state.seat and numbers]
    return [number for numbers in played for number in numbers]


def golden_number_to_hit(others: list[float], own: list[float]) -> float:
    """Return the number x that equals 0.618 times the mean of the others' numbers, the bot's own numbers and x."""
    total, count = sum(others) + sum(own), len(others) + len(own) + 1
    return min(max(0.618 * total / (count - 0.618), 0.001), 99.999)
