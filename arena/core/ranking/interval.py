"""95 % confidence intervals for rates and means."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

Z95 = 1.959963984540054  # the 97.5th percentile of the normal distribution
# The 97.5th percentiles of Student's t with one and two degrees of freedom, where the expansion below is poor.
_T95_SMALL = {1: 12.7062047, 2: 4.3026527}


def wilson_interval(score: float, matches: int) -> tuple[float, float]:
    """Return the Wilson score interval of a rate: ``score`` points in ``matches`` matches; draws count as fractions.

    E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, Journal of the American
    Statistical Association 22 (1927), 209-212. The interval lies between 0 and 1 and remains valid for few matches and
    for rates of 0 and 1, where the Wald interval has zero width (Brown, Cai and DasGupta, Statistical Science 16
    (2001), 101-133). Scores of one half reduce the variance, so the interval is conservative if there are draws.
    """
    if matches < 1 or not 0 <= score <= matches:
        raise ValueError(f"a score of {score} is not possible in {matches} matches")
    rate, z2 = score / matches, Z95 * Z95
    shrunk = 1 + z2 / matches
    centre = (rate + z2 / (2 * matches)) / shrunk
    half = Z95 * math.sqrt(rate * (1 - rate) / matches + z2 / (4 * matches * matches)) / shrunk
    # rounding must not put a rate of 0 or 1 outside its own interval
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def mean_half_width(values: Sequence[float]) -> float | None:
    """Return half the width of the t interval around the mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    return t_quantile(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


def t_quantile(freedom: int) -> float:
    """Return the 97.5th percentile of Student's t-distribution with ``freedom`` degrees of freedom.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    if freedom in _T95_SMALL:
        return _T95_SMALL[freedom]
    z = Z95
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
