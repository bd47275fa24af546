"""Plays the last golden number again. In the first round it guesses 0.618 x 0.618 x 50."""

from typing import Any


def get_move(state: Any) -> list[float]:
    guess = state.golden[-1] if state.golden else 0.618 * 0.618 * 50
    return [min(max(guess, 0.001), 99.999)] * state.numbers
