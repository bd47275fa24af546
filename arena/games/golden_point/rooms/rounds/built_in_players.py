"""Built-in players for rooms; they base their numbers on the golden numbers so far.

They pick as soon as a round opens, in the transaction that opens it, so a room with built-in players is never empty
and depends on no worker. They use only the rules of thumb that beginners try first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Final

from arena.games.golden_point.rooms.rounds.numbers import Pair
from arena.games.golden_point.rules import RATIO

# Maps the last golden numbers (oldest first, possibly none) and a random generator to a number.
Strategy = Callable[[Sequence[float], random.Random], float]

REMEMBERED: Final = 10  # number of rounds that a built-in player looks back
_FIRST: Final = 50 * RATIO  # the expected golden number of uniformly random numbers
_MIN_NUMBER, _MAX_NUMBER = 0.001, 99.999
_APART: Final = 0.97  # a second number stays close to the first


def _last(goldens: Sequence[float], rng: random.Random) -> float:
    return goldens[-1] if goldens else _FIRST


def _last_times_ratio(goldens: Sequence[float], rng: random.Random) -> float:
    return RATIO * _last(goldens, rng)


def _mean_of_ten(goldens: Sequence[float], rng: random.Random) -> float:
    return fmean(goldens) if goldens else _FIRST


def _trend(goldens: Sequence[float], rng: random.Random) -> float:
    return 2 * goldens[-1] - goldens[-2] if len(goldens) > 1 else _last(goldens, rng)


def _random(goldens: Sequence[float], rng: random.Random) -> float:
    return rng.uniform(0, 2 * _last(goldens, rng))


STRATEGIES: Final[Mapping[str, Strategy]] = {
    "last": _last,
    "last_times_ratio": _last_times_ratio,
    "mean_of_ten": _mean_of_ten,
    "trend": _trend,
    "random": _random,
}


def play(strategy: str, goldens: Sequence[float], rng: random.Random, *, numbers: int) -> Pair:
    """Return the one or two legal numbers that this strategy plays after the golden numbers ``goldens``."""
    first = _clamp(STRATEGIES[strategy](goldens[-REMEMBERED:], rng))
    return first, (_clamp(first * _APART) if numbers > 1 else None)


def _clamp(value: float) -> float:
    return min(max(value, _MIN_NUMBER), _MAX_NUMBER)
