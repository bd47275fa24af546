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


class PlaceTable:
    """The best and the worst place that each of some ratings may have: overlapping intervals cannot be told apart.

    One is surely below another one where its whole interval is.
    """

    def __init__(self, ratings: Sequence[Rating]) -> None:
        self._lows = sorted(rating.low for rating in ratings)
        self._highs = sorted(rating.high for rating in ratings)

    def places(self, rating: Rating) -> tuple[int, int]:
        """Of one of them."""
        best = 1 + len(self._lows) - bisect_right(self._lows, rating.high)
        return best, len(self._highs) - bisect_left(self._highs, rating.low)
