"""Test whether a new version of a bot is better than an old one, in as few matches as possible.

Two sequential tests run side by side on the same pairs: one for whether the new version is stronger by at least the
smallest gain that matters, the other for whether the old version is. Each test ends when its log-likelihood ratio
leaves the interval between its bounds. The first test that finds a gain decides; if neither finds one, the difference
is irrelevant (M. Sobel and A. Wald, A Sequential Decision Procedure for Choosing One of Three Hypotheses, Annals of
Mathematical Statistics 20 (1949), 502-522).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final, Generic, Protocol, Self, TypeVar

ERROR: Final = 0.05
_STEPS: Final = 20  # number of steps of a random walk from the start of a test to its bound
_SHARES: Final = (
    3  # parts of the error probability: one for each test, one for overshoot at the bounds and small samples
)


class GainVerdict(StrEnum):
    RUNNING = "running"
    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no_difference"  # neither is stronger by the relevant gain
    UNDECIDED = "undecided"  # the maximum number of pairs was reached


class Gain(StrEnum):
    """The smallest gain that a version test looks for; smaller gains need more matches."""

    ANY = "any"
    LITTLE = "little"
    CLEAR = "clear"
    LARGE = "large"

    @property
    def elo(self) -> float:
        """Return the gain in logistic Elo, for two-seat matches."""
        return {Gain.ANY: 10.0, Gain.LITTLE: 25.0, Gain.CLEAR: 50.0, Gain.LARGE: 100.0}[self]

    @property
    def effect_size(self) -> float:
        """Return the gain for larger tables and for scores: mean / standard deviation of the pairs' differences.

        0.2, 0.5 and 0.8 are a small, a medium and a large effect by the conventions of J. Cohen.
        """
        return {Gain.ANY: 0.1, Gain.LITTLE: 0.2, Gain.CLEAR: 0.5, Gain.LARGE: 0.8}[self]


class Evidence(Protocol):
    """The results of all pairs so far; see ``sprt.PairCounts`` and ``sprt.PairDifferences``."""

    @property
    def pairs(self) -> int: ...

    @property
    def swap_sides(self) -> Self: ...

    def add(self, result: float, /) -> Self: ...

    def log_likelihood_ratio(self, gain: float) -> float: ...


EvidenceT = TypeVar("EvidenceT", bound=Evidence)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a test's log-likelihood ratio: at ``lower`` the gain is rejected, at ``upper`` it is confirmed."""

    lower: float
    upper: float

    @classmethod
    def from_joint_error(cls, error: float = ERROR) -> Bounds:
        """Return the bounds of each of the two tests for a joint error probability of ``error``."""
        return cls.from_error_rates(error / _SHARES, error / _SHARES)

    @classmethod
    def from_error_rates(cls, false_gain: float, missed_gain: float) -> Bounds:
        """Return Wald's bounds for the given false-positive and false-negative probabilities."""
        return cls(math.log(missed_gain / (1 - false_gain)), math.log((1 - missed_gain) / false_gain))


@dataclass(frozen=True, slots=True)
class OneSidedTest:
    """One of the two tests of a ``SequentialTest``. ``found``: whether there is a gain; None while it is running."""

    ratio: float = 0.0
    found: bool | None = None

    def update(self, ratio: float, bounds: Bounds) -> OneSidedTest:
        if self.found is not None:
            return self
        if bounds.lower < ratio < bounds.upper:
            return OneSidedTest(ratio)
        return OneSidedTest(ratio, ratio >= bounds.upper)


@dataclass(frozen=True, slots=True)
class SequentialTest(Generic[EvidenceT]):
    """The state of a test after any number of pairs.

    ``gain``: the smallest gain that the test looks for, in the unit of the evidence: Elo, or standard deviations of a
    pair's difference. ``error``: the approximate upper limit on the probability of calling equal versions different, or
    of missing a gain of exactly that size.
    """

    evidence: EvidenceT
    gain: float
    most_pairs: int
    error: float = ERROR
    better: OneSidedTest = OneSidedTest()
    worse: OneSidedTest = OneSidedTest()

    @property
    def bounds(self) -> Bounds:
        return Bounds.from_joint_error(self.error)

    @property
    def verdict(self) -> GainVerdict:
        if self.better.found:
            return GainVerdict.BETTER
        if self.worse.found:
            return GainVerdict.WORSE
        if self.better.found is False and self.worse.found is False:
            return GainVerdict.NO_DIFFERENCE
        return GainVerdict.RUNNING if self.evidence.pairs < self.most_pairs else GainVerdict.UNDECIDED

    def add(self, result: float) -> Self:
        """Return the test after one more pair, given the pair's points (0 to 2) or its score difference.

        Add pairs in the order in which they were planned. Raises ValueError if the test has ended.
        """
        if self.verdict is not GainVerdict.RUNNING:
            raise ValueError(f"the test has ended: {self.verdict.value}")
        evidence = self.evidence.add(result)
        bounds = self.bounds
        return replace(
            self,
            evidence=evidence,
            better=self.better.update(evidence.log_likelihood_ratio(self.gain), bounds),
            worse=self.worse.update(evidence.swap_sides.log_likelihood_ratio(self.gain), bounds),
        )


def expected_pairs(bounds: Bounds, separation: float) -> tuple[float, float]:
    """Return the expected numbers of pairs until a result, for equal versions and for a gain of the tested size.

    ``separation``: the gain in standard deviations of a pair's result. If the versions are equal, the result comes
    only when both tests, one in each direction, have ruled out the gain. This is Wald's approximation, which neglects
    the overshoot of the last pair.
    """
    information = separation * separation
    false_gain = (1 - math.exp(bounds.lower)) / (math.exp(bounds.upper) - math.exp(bounds.lower))
    missed = (1 - math.exp(-bounds.upper)) / (math.exp(-bounds.lower) - math.exp(-bounds.upper))
    none = -2 * (bounds.upper * false_gain + bounds.lower * (1 - false_gain))
    some = 2 * (bounds.upper * (1 - missed) + bounds.lower * missed)
    return (2 * none - _mean_first_exit_time(-bounds.lower)) / information, some / information


@cache
def _mean_first_exit_time(distance: float) -> float:
    """Return the mean number of pairs until one of the two tests ends, multiplied by the squared separation.

    The versions are assumed to be equal. Then the log-likelihood ratios of the tests are W - t/2 and -W - t/2, where W
    is a Brownian motion, approximated here by a random walk. One of the tests ends as soon as the absolute value of W
    reaches ``distance - t/2``.
    """
    step = distance / _STEPS
    mean, time, alive = 0.0, 0.0, {0: 1.0}
    while alive:
        mean += step * step * sum(alive.values())
        time += step * step
        edge = (distance - time / 2) / step
        moved: defaultdict[int, float] = defaultdict(float)
        for place, share in alive.items():
            for there in (place - 1, place + 1):
                if abs(there) < edge:
                    moved[there] += share / 2
        alive = dict(moved)
    return mean
