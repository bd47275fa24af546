"""Ratings: points on the Elo scale with their uncertainty."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

CENTRE: Final = 1500.0
PER_NEPER: Final = 400 / math.log(10)  # Elo: 400 points are odds of ten to one
FIRST_DEVIATION: Final = 400.0  # points, of a first version before any result
STEP_DEVIATION: Final = 200.0  # points, of a new version about its predecessor
_SIGMAS: Final = 1.959964  # of a normal distribution, 95 % lie within


@dataclass(frozen=True, slots=True, order=True)
class RatedResult:
    """One match: who sat in it and their ranks, 1 is best, equals share the better."""

    entries: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """Points on the Elo scale, where the first versions of all bots have a mean of 1500.

    ``deviation``: the standard error in points, of the distance from that mean.
    """

    value: float
    deviation: float

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.value - _SIGMAS * self.deviation

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.value + _SIGMAS * self.deviation


def information(one: Rating, other: Rating) -> float:
    """What a match of the two can be expected to tell, in nats: most where both are uncertain and close.

    The outcome of a match has the variance p (1 - p), so it adds that to the precision of their difference; the
    entropy of a normal distribution falls by half the logarithm of the factor. This is the expected gain of
    D. V. Lindley, "On a measure of the information provided by an experiment", Annals of Mathematical
    Statistics 27 (1956), with the chance taken at the estimates and widened by what is not known of them.
    """
    variance = (one.deviation**2 + other.deviation**2) / PER_NEPER**2
    # The chance under a normal difference: the logistic function with its argument shrunk (MacKay 1992).
    difference = (one.value - other.value) / PER_NEPER / math.sqrt(1 + math.pi * variance / 8)
    return math.log1p(variance / (2 + math.exp(difference) + math.exp(-difference))) / 2


def places(ratings: Sequence[Rating]) -> list[tuple[int, int]]:
    """The best and the worst place that each may have: overlapping intervals cannot be told apart.

    One is surely below another one where its whole interval is.
    """
    lows, highs = sorted(rating.low for rating in ratings), sorted(rating.high for rating in ratings)
    return [
        (1 + len(lows) - bisect_right(lows, rating.high), len(highs) - bisect_left(highs, rating.low))
        for rating in ratings
    ]
