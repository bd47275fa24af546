"""Ratings: points on the Elo scale with their uncertainty."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

CENTRE: Final = 1500.0
PER_NEPER: Final = 400 / math.log(10)  # Elo: 400 points mean odds of ten to one
FIRST_DEVIATION: Final = 400.0  # prior deviation in points of a bot's first version
STEP_DEVIATION: Final = 200.0  # prior deviation in points between a new version and its predecessor
_SIGMAS: Final = 1.959964  # 95 % of a normal distribution lies within this many standard deviations


@dataclass(frozen=True, slots=True, order=True)
class RatedResult:
    """One match: its entries and their ranks; 1 is best; ties share the better rank."""

    entries: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: points on the Elo scale; the first versions of all bots have a mean of 1500.

    ``deviation``: the standard error in points, relative to that mean.
    """

    value: float
    deviation: float

    @property
    def lower_bound(self) -> float:
        """Return the lower end of the 95 % interval."""
        return self.value - _SIGMAS * self.deviation

    @property
    def upper_bound(self) -> float:
        """Return the upper end of the 95 % interval."""
        return self.value + _SIGMAS * self.deviation


class RankTable:
    """The best and worst possible rank of each rating; ratings whose intervals overlap could be in either order.

    A rating is certainly below another if its whole interval lies below the other's.
    """

    def __init__(self, values: Sequence[float], deviations: Sequence[float]) -> None:
        widths = [_SIGMAS * deviation for deviation in deviations]
        self._lows = sorted(map(operator.sub, values, widths))
        self._highs = sorted(map(operator.add, values, widths))

    def rank_range(self, rating: Rating) -> tuple[int, int]:
        """Return the best and the worst possible rank of one rating."""
        best = 1 + len(self._lows) - bisect_right(self._lows, rating.upper_bound)
        return best, len(self._highs) - bisect_left(self._highs, rating.lower_bound)
