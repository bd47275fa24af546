"""Plays the mean of the last ten golden numbers. It follows a trend slowly, but is hard to disrupt."""

from typing import Any


def get_move(state: Any) -> list[float]:
    recent = state.golden[-10:] or [0.618 * 0.618 * 50]
    guess = sum(recent) / len(recent)
    return [min(max(guess, 0.001), 99.999)] * state.numbers
