"""Plan a version test: the expected number of pairs, and the estimated gain so far."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from arena.core.ranking.interval import Z95, t_quantile, wilson_interval
from arena.core.ranking.sprt import (
    NORMALIZED_ELO,
    EloModel,
    PairCounts,
    PairDifferences,
    elo_difference,
    expected_score,
)
from arena.core.ranking.version_test import Bounds, Gain, SequentialTest, expected_pairs

_MAX_PAIRS_FACTOR: Final = 4  # a test ends undecided after this multiple of the expected number of pairs
_DRAWLESS_DEVIATION: Final = math.sqrt(1 / 8)  # standard deviation of the mean of two independent matches without draws

AnyVersionTest = SequentialTest[PairCounts] | SequentialTest[PairDifferences]


@dataclass(frozen=True, slots=True)
class VersionPlan:
    """The plan for a test that has not played any pairs yet.

    ``ranked``: whether matches have two seats and are won, drawn or lost; if so, the versions are compared by Elo under
    ``model``.
    """

    gain: Gain
    ranked: bool
    model: EloModel = EloModel.LOGISTIC

    @property
    def gain_size(self) -> float:
        """Return the gain in Elo if ``ranked``, otherwise in standard deviations of a pair's difference."""
        return self.gain.elo if self.ranked else self.gain.effect_size

    @property
    def expected_pairs(self) -> tuple[float, float]:
        """Return the expected numbers of pairs until a result: for equal versions, and for the planned gain."""
        return expected_pairs(Bounds.from_joint_error(), self._separation)

    @property
    def _separation(self) -> float:
        """Return the gain, measured in standard deviations of a pair's result.

        It is reduced if the standard deviation has to be estimated, as in a t test.
        """
        if self.ranked and self.model is EloModel.LOGISTIC:
            return (expected_score(self.gain.elo) - 0.5) / _DRAWLESS_DEVIATION
        effect = self.gain.elo / NORMALIZED_ELO * math.sqrt(2) if self.ranked else self.gain.effect_size
        return math.sqrt(math.log1p(effect * effect))

    @property
    def max_pairs(self) -> int:
        return math.ceil(_MAX_PAIRS_FACTOR * max(self.expected_pairs))

    def start(self, most_pairs: int | None = None) -> AnyVersionTest:
        most = self.max_pairs if most_pairs is None else most_pairs
        if self.ranked:
            return SequentialTest(PairCounts(model=self.model), self.gain_size, most)
        return SequentialTest(PairDifferences(), self.gain_size, most)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated gain of the new version, with a 95 % interval that does not correct for early stopping.

    Its values are either Elo differences, computed with the same model as the evidence, or score differences per match.
    ``value`` is infinite if one side has won everything; in that case, only one bound of the interval is finite.
    """

    value: float
    low: float
    high: float


def estimate_gain(evidence: PairCounts | PairDifferences) -> Estimate | None:
    """Estimate the gain; None for fewer than two pairs and, in normalized Elo, if all pairs have the same result."""
    if evidence.pairs < 2:
        return None
    if isinstance(evidence, PairCounts):
        return _estimate_elo(evidence) if evidence.model is EloModel.LOGISTIC else _estimate_normalized_elo(evidence)
    half = t_quantile(evidence.pairs - 1) * math.sqrt(evidence.squares / (evidence.pairs - 1) / evidence.pairs)
    return Estimate(evidence.mean, evidence.mean - half, evidence.mean + half)


def _estimate_elo(evidence: PairCounts) -> Estimate:
    low, high = wilson_interval(2 * evidence.score * evidence.pairs, 2 * evidence.pairs)
    if evidence.score not in (0, 1) and evidence.deviation:
        half = Z95 * evidence.deviation / math.sqrt(evidence.pairs)
        low, high = max(low / 2, evidence.score - half), min((1 + high) / 2, evidence.score + half)
    return Estimate(elo_difference(evidence.score), elo_difference(low), elo_difference(high))


def _estimate_normalized_elo(evidence: PairCounts) -> Estimate | None:
    """Estimate the gain from the mean score; None if all pairs have the same result.

    The mean is measured in standard deviations of a match's score; in this unit, its standard error is about
    1 / sqrt(number of matches).
    """
    deviation = math.sqrt(2) * evidence.deviation
    if not deviation:
        return None
    value = (evidence.score - 0.5) / deviation * NORMALIZED_ELO
    half = Z95 * NORMALIZED_ELO / math.sqrt(2 * evidence.pairs)
    return Estimate(value, value - half, value + half)
