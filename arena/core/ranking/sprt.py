"""Compute log-likelihood ratios for sequential tests of two bots: is one stronger by ``upper`` rather than ``lower``?

A pair is two matches with the same random seed and opening and with the seats swapped, so that the luck of the deal
cancels out. This is the generalized likelihood ratio: each hypothesis is represented by its most likely distribution of
results.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16 (1945), 117-186; M.
Van den Bergh, "A Practical Introduction to the GSPRT" and "Normalized Elo in Practice", whose methods fishtest uses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
NORMALIZED_ELO: Final = 800 / math.log(10)  # points of normalized Elo per standard deviation of a match's score
_PRIOR: Final = 1e-3  # pairs assumed for a result that has not occurred, as in fishtest
_FIXED_POINT_STEPS: Final = 10
_TOLERANCE: Final = 1e-9
_LAST_STEP: Final = 1e-15

Distribution = Sequence[tuple[float, float]]  # values and their probabilities, which sum to 1


class EloModel(StrEnum):
    """The Elo model in which the bounds of a test are expressed."""

    LOGISTIC = "logistic"  # expected score 1 / (1 + 10 ** (-elo / 400))
    NORMALIZED = "normalized"  # (score - 1/2) / standard deviation of a match's score, times 800 / ln 10


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The pentanomial counts: how many pairs scored 0, 1/2, 1, 3/2 and 2 points.

    ``model``: the Elo model in which results are expressed.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    model: EloModel = EloModel.LOGISTIC

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        """Return the mean score per match, between 0 and 1; 1/2 before the first pair."""
        if not self.pairs:
            return 0.5
        return sum(score * count for score, count in zip(PAIR_SCORES, self.counts, strict=True)) / self.pairs

    @property
    def deviation(self) -> float:
        """Return the standard deviation of a pair's mean score."""
        mean = self.score
        squares = sum(count * (score - mean) ** 2 for score, count in zip(PAIR_SCORES, self.counts, strict=True))
        return math.sqrt(squares / self.pairs) if self.pairs else 0.0

    @property
    def swap_sides(self) -> PairCounts:
        """Return the same pairs from the other side's perspective."""
        zero, half, one, more, two = self.counts
        return replace(self, counts=(two, more, one, half, zero))

    def add(self, points: float) -> PairCounts:
        """Return the counts after one more pair with these points (0 to 2)."""
        place = points * 2
        if place not in (0, 1, 2, 3, 4):
            raise ValueError(f"a pair yields 0 to 2 points in steps of 1/2, not {points}")
        counts = list(self.counts)
        counts[int(place)] += 1
        zero, half, one, more, two = counts
        return replace(self, counts=(zero, half, one, more, two))

    def log_likelihood_ratio(self, gain: float) -> float:
        """Return the log-likelihood ratio of "stronger by ``gain`` Elo" to "equal"."""
        return log_likelihood_ratio(self, 0, gain, self.model)

    @property
    def distribution(self) -> Distribution:
        regular = [count or _PRIOR for count in self.counts]
        total = math.fsum(regular)
        return [(score, count / total) for score, count in zip(PAIR_SCORES, regular, strict=True)]

    @property
    def weight(self) -> float:
        """Return the number of pairs, including the prior weight of results that have not occurred."""
        return math.fsum(count or _PRIOR for count in self.counts)


@dataclass(frozen=True, slots=True)
class PairDifferences:
    """The score differences of pairs, in any unit: their count, mean, and sum of squared deviations."""

    pairs: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @property
    def swap_sides(self) -> PairDifferences:
        """Return the same pairs from the other side's perspective."""
        return PairDifferences(self.pairs, -self.mean, self.squares)

    def add(self, difference: float) -> PairDifferences:
        """Return the differences after one more pair (B. P. Welford, Technometrics 4 (1962), 419-420)."""
        pairs = self.pairs + 1
        away = difference - self.mean
        mean = self.mean + away / pairs
        return PairDifferences(pairs, mean, self.squares + away * (difference - mean))

    @property
    def effect_size(self) -> float:
        """Return the effect size, mean / standard deviation; infinite if all pairs differ by the same amount."""
        if not self.mean:
            return 0.0
        deviation = math.sqrt(self.squares / self.pairs)
        return self.mean / deviation if deviation else math.copysign(math.inf, self.mean)

    def log_likelihood_ratio(self, gain: float) -> float:
        """Return the log-likelihood ratio of "better by ``gain`` deviations" to "equal" (sequential paired t test).

        Source: Van den Bergh, Normalized Elo in Practice, 4.2. The effect is clipped where the evidence for or against
        the gain is strongest.
        """
        root = math.sqrt(gain * gain + 4)
        effect = min(max(self.effect_size, (gain - root) / 2), (gain + root) / 2)
        return self.pairs / 2 * math.log((1 + effect * effect) / (1 + (effect - gain) ** 2))


def expected_score(elo: float) -> float:
    """Return the expected score of a player who is ``elo`` points stronger than the opponent."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float) -> float:
    """Return the Elo difference with this expected score; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def log_likelihood_ratio(pairs: PairCounts, lower: float, upper: float, model: EloModel = EloModel.LOGISTIC) -> float:
    """Return the log-likelihood ratio of "stronger by ``upper``" to "stronger by ``lower``", in Elo under ``model``."""
    observed = pairs.distribution
    if model is EloModel.LOGISTIC:
        first, second = (_most_likely_with_mean(observed, expected_score(elo)) for elo in (lower, upper))
    else:  # the deviation of a pair's score is that of a match's score divided by the square root of 2
        first, second = (
            _most_likely_with_t_value(observed, elo / NORMALIZED_ELO * math.sqrt(2)) for elo in (lower, upper)
        )
    return pairs.weight * math.fsum(
        share * math.log(high / low) for (_, share), (_, low), (_, high) in zip(observed, first, second, strict=True)
    )


def _most_likely_with_mean(observed: Distribution, mean: float) -> Distribution:
    """Return the most likely distribution with this mean (Van den Bergh, The MLE of a multinomial, 1.1)."""
    shifted = [(value - mean, share) for value, share in observed]
    return _reweight(observed, shifted)


def _most_likely_with_t_value(observed: Distribution, target: float) -> Distribution:
    """Return the maximum-likelihood distribution with (mean - 1/2) / deviation = ``target``.

    Source: Normalized Elo in Practice, 4.1.
    """
    found: Distribution = [(value, 1 / len(observed)) for value, _ in observed]
    for _ in range(_FIXED_POINT_STEPS):
        mean = math.fsum(value * share for value, share in found)
        deviation = math.sqrt(math.fsum(share * (value - mean) ** 2 for value, share in found))
        shifted = [
            (value - 0.5 - target * deviation * (1 + ((mean - value) / deviation) ** 2) / 2, share)
            for value, share in observed
        ]
        before, found = found, _reweight(observed, shifted)
        if max(abs(old - new) for (_, old), (_, new) in zip(before, found, strict=True)) < _TOLERANCE:
            break
    return found


def _reweight(observed: Distribution, shifted: Distribution) -> Distribution:
    """Reweight ``observed`` so that the values of ``shifted`` have mean 0."""
    values = [value for value, _ in shifted]
    tilt = _solve_secular_equation(shifted)
    return [(value, share / (1 + tilt * moved)) for (value, share), moved in zip(observed, values, strict=True)]


def _solve_secular_equation(shifted: Distribution) -> float:
    """Find the root of the sum of share * value / (1 + x * value) to the last bit, by Newton's method with bisection.

    The sum falls from plus to minus infinity between its two poles.
    """
    values = [value for value, _ in shifted]
    low, high = -1 / max(values), -1 / min(values)
    tilt = (low + high) / 2
    while low < tilt < high:
        quotients = [(share, value / (1 + tilt * value)) for value, share in shifted]
        error = math.fsum(share * quotient for share, quotient in quotients)
        if error > 0:
            low = tilt
        else:
            high = tilt
        step = error / math.fsum(share * quotient * quotient for share, quotient in quotients)
        if abs(step) <= _LAST_STEP * (abs(tilt) + _LAST_STEP):
            return tilt
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return tilt
