"""The version test stays within its nominal error rates in simulations with known true strengths."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from arena.core.ranking.sprt import NORMALIZED_ELO, EloModel, PairCounts, PairDifferences, expected_score
from arena.core.ranking.version_plan import VersionPlan, estimate_gain
from arena.core.ranking.version_test import ERROR, Bounds, Gain, GainVerdict, OneSidedTest, SequentialTest

MAX_PAIRS = 100_000  # more pairs than any simulated test needs


@cache
def _cached_ratio(pairs: PairCounts, gain: float) -> float:
    return pairs.log_likelihood_ratio(gain)


class CachedCounts(PairCounts):
    """Pair counts with cached ratios, because thousands of tests pass through the same few counts."""

    __slots__ = ()

    @property
    def swap_sides(self) -> CachedCounts:
        return CachedCounts(PairCounts(self.counts).swap_sides.counts)

    def add(self, points: float) -> CachedCounts:
        return CachedCounts(PairCounts(self.counts).add(points).counts)

    def log_likelihood_ratio(self, gain: float) -> float:
        return _cached_ratio(PairCounts(self.counts), gain)


def pair_points(rng: random.Random, elo: float, draws: float) -> float:
    wins = expected_score(elo) - draws / 2
    return sum(1.0 if (drawn := rng.random()) < wins else 0.5 if drawn < wins + draws else 0.0 for _ in range(2))


def simulate(elo: float, gain: float, tests: int, draws: float = 0.1) -> Counter[GainVerdict]:
    rng = random.Random(f"{elo} {gain}")
    found: Counter[GainVerdict] = Counter()
    for _ in range(tests):
        test = SequentialTest(CachedCounts(), gain, MAX_PAIRS)
        while test.verdict is GainVerdict.RUNNING:
            test = test.add(pair_points(rng, elo, draws))
        found[test.verdict] += 1
    return found


def simulate_differences(effect: float, gain: float, tests: int) -> Counter[GainVerdict]:
    rng = random.Random(f"{effect} {gain}")
    found: Counter[GainVerdict] = Counter()
    for _ in range(tests):
        test = SequentialTest(PairDifferences(), gain, MAX_PAIRS)
        while test.verdict is GainVerdict.RUNNING:
            test = test.add(7 * rng.gauss(effect, 1))
        found[test.verdict] += 1
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("truth", "verdict"), [(0, GainVerdict.NO_DIFFERENCE), (100, GainVerdict.BETTER), (-100, GainVerdict.WORSE)]
)
def test_error_rate_of_match_tests_is_at_most_five_percent(truth: float, verdict: GainVerdict) -> None:
    found = simulate(truth, Gain.LARGE.elo, 2000)
    assert found[verdict] >= (1 - ERROR) * 2000


@pytest.mark.long
@pytest.mark.parametrize(
    ("truth", "verdict"), [(0, GainVerdict.NO_DIFFERENCE), (0.8, GainVerdict.BETTER), (-0.8, GainVerdict.WORSE)]
)
def test_error_rate_of_score_tests_is_at_most_five_percent(truth: float, verdict: GainVerdict) -> None:
    found = simulate_differences(truth, Gain.LARGE.effect_size, 2000)
    assert found[verdict] >= (1 - ERROR) * 2000


@pytest.mark.long
@pytest.mark.parametrize(
    ("truth", "verdict"), [(0, GainVerdict.NO_DIFFERENCE), (250, GainVerdict.BETTER), (-250, GainVerdict.WORSE)]
)
def test_simulated_gains_and_regressions_are_detected(truth: float, verdict: GainVerdict) -> None:
    assert simulate(truth, Gain.LARGE.elo, 40)[verdict] >= 36


def test_identical_deterministic_bots_do_not_differ() -> None:
    """Two copies of a deterministic bot each win one match of every pair, so the test finds no difference."""
    test = SequentialTest(PairCounts(), Gain.LARGE.elo, MAX_PAIRS)
    while test.verdict is GainVerdict.RUNNING:
        test = test.add(1)
    assert test.verdict is GainVerdict.NO_DIFFERENCE
    assert test.evidence.pairs < 100


def test_constant_scores_do_not_differ() -> None:
    test = SequentialTest(PairDifferences(), Gain.LARGE.effect_size, MAX_PAIRS)
    while test.verdict is GainVerdict.RUNNING:
        test = test.add(0)
    assert test.verdict is GainVerdict.NO_DIFFERENCE


def test_version_test_is_inconclusive_when_its_pairs_run_out() -> None:
    test = SequentialTest(PairCounts(), Gain.ANY.elo, 2).add(2)
    assert test.verdict is GainVerdict.RUNNING
    test = test.add(0)
    assert test.verdict is GainVerdict.UNDECIDED
    with pytest.raises(ValueError, match="has ended: undecided"):
        test.add(1)


def test_finished_one_sided_test_keeps_its_result() -> None:
    bounds = Bounds.from_joint_error()
    ended = OneSidedTest().update(bounds.lower, bounds)
    assert ended.found is False
    assert ended.update(bounds.upper, bounds) == ended


@pytest.mark.parametrize(
    ("better", "worse", "verdict"),
    [
        (True, None, GainVerdict.BETTER),
        (None, True, GainVerdict.WORSE),
        (False, False, GainVerdict.NO_DIFFERENCE),
        (False, None, GainVerdict.RUNNING),
    ],
)
def test_verdict_combines_both_one_sided_tests(better: bool | None, worse: bool | None, verdict: GainVerdict) -> None:
    test = SequentialTest(PairCounts(), 20, 100)
    assert replace(test, better=OneSidedTest(found=better), worse=OneSidedTest(found=worse)).verdict is verdict


@pytest.mark.long
def test_expected_number_of_pairs_is_close_to_simulation() -> None:
    rng = random.Random(5)
    plan = VersionPlan(Gain.CLEAR, ranked=False)
    for truth, expected in zip((0.0, plan.gain_size), plan.expected_pairs, strict=True):
        taken = []
        for _ in range(300):
            test = plan.start(MAX_PAIRS)
            while test.verdict is GainVerdict.RUNNING:
                test = test.add(rng.gauss(truth, 1))
            taken.append(test.evidence.pairs)
        assert sum(taken) / len(taken) == pytest.approx(expected, rel=0.2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("truth", "verdict"), [(0, GainVerdict.NO_DIFFERENCE), (150, GainVerdict.BETTER), (-150, GainVerdict.WORSE)]
)
def test_gains_in_normalized_elo_are_detected_at_any_draw_rate(truth: float, verdict: GainVerdict) -> None:
    plan = VersionPlan(Gain.LARGE, ranked=True, model=EloModel.NORMALIZED)
    for draws in (0.0, 0.5):
        rng = random.Random(f"{truth} {draws}")
        wins = (1 - draws) / 2 + truth / NORMALIZED_ELO * math.sqrt((1 - draws) / 4)
        for _ in range(3):
            test = plan.start()
            while test.verdict is GainVerdict.RUNNING:
                points = (1.0 if (one := rng.random()) < wins else 0.5 if one < wins + draws else 0.0 for _ in range(2))
                test = test.add(sum(points))
            assert test.verdict is verdict


def test_normalized_elo_estimate_is_in_standard_deviations_of_a_match() -> None:
    pairs = PairCounts((20, 0, 60, 0, 20), EloModel.NORMALIZED).add(2)
    found = estimate_gain(pairs)
    assert found is not None
    mean = 51 / 101
    deviation = math.sqrt((20 * mean**2 + 60 * (0.5 - mean) ** 2 + 21 * (1 - mean) ** 2) / 101)
    assert found.value == pytest.approx((mean - 0.5) / (deviation * math.sqrt(2)) * NORMALIZED_ELO)
    assert found.high - found.low == pytest.approx(2 * 1.96 * NORMALIZED_ELO / math.sqrt(202), rel=1e-3)
    assert estimate_gain(PairCounts((0, 0, 9, 0, 0), EloModel.NORMALIZED)) is None
