"""Waits until the golden number is stable, then plays 99 and aims its other number at the resulting golden number.

A 99 among N players with two numbers each raises the golden number by 99 x 0.618 / 2N, and only this bot knows that in
advance. While the golden number is still changing, the bot plays the last golden number and the mean of the last five.

With one number it cannot do both: it plays 99 in one calm round, and then follows the golden number until the number is
stable again.
"""

from typing import Any

HIGH = 99.0
RATIO = 0.618
LENGTH = 5  # number of calm rounds required
CALM = 0.1  # maximum deviation of a golden number from their mean, as a share of the mean


def get_move(state: Any) -> list[float]:
    recent = state.golden[-LENGTH:] or [RATIO * RATIO * 50]
    mean = sum(recent) / len(recent)
    if not is_calm(recent):
        pair = [recent[-1], mean]
    elif state.numbers == 2:
        pair = [recent[-1] + HIGH * RATIO / (2 * state.players), HIGH]
    else:
        pair = [HIGH]
    return [min(max(number, 0.001), 99.999) for number in pair[: state.numbers]]


def is_calm(recent: list[float]) -> bool:
    mean = sum(recent) / len(recent)
    return len(recent) == LENGTH and all(abs(golden - mean) <= CALM * mean for golden in recent)
