"""Log-likelihood ratios match published figures and an independent solution of the same equations."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.ranking.sprt import (
    EloModel,
    PairCounts,
    PairDifferences,
    elo_difference,
    expected_score,
    log_likelihood_ratio,
)

Counts = tuple[int, int, int, int, int]

# Logistic and normalized: the formulas of fishtest (LLR_logistic, LLR_normalized), solved by SciPy's brentq.
FISHTEST: list[tuple[Counts, float, float, float, float]] = [
    ((352, 579, 1264, 743, 464), 9, 16, 4.3021700883905565, 4.5959807297726085),
    ((0, 0, 1, 8, 1), 0, 50, 1.3356830187888122, 1.2393927421032067),
    ((5, 22, 48, 18, 7), 0, 5, -0.046902217802431874, -0.020730897745599615),
    ((1, 10, 78, 48, 13), 0, 10, 3.9001306137428755, 2.5656608157310123),
    ((2410, 367, 5075, 327, 2605), 0, 3, 2.3055940543640516, 2.2770878668294623),
    ((0, 0, 40, 0, 0), 0, 20, -2.360664673406198, -0.25848375495088577),
    ((0, 0, 0, 0, 12), 0, 20, 0.6710128422877186, 0.9362256876721056),
    ((12, 0, 0, 0, 0), 0, 20, -0.710768388692148, -1.0155124413876213),
    ((10, 121, 389, 221, 17), -2, 2, 4.302218144018303, 2.376626191882195),
]


@pytest.mark.parametrize(("counts", "lower", "upper", "logistic", "normalized"), FISHTEST)
def test_ratios_match_fishtest(counts: Counts, lower: float, upper: float, logistic: float, normalized: float) -> None:
    pairs = PairCounts(counts)
    assert log_likelihood_ratio(pairs, lower, upper) == pytest.approx(logistic, abs=1e-9)
    assert log_likelihood_ratio(pairs, lower, upper, EloModel.NORMALIZED) == pytest.approx(normalized, abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "lower", "upper", "published"),
    [((352, 579, 1264, 743, 464), 9, 16, 4.60), ((0, 0, 1, 8, 1), 0, 50, 1.24)],
)
def test_ratios_match_those_published_by_fastchess(
    counts: Counts, lower: float, upper: float, published: float
) -> None:
    """The ratios match those that fastchess, which uses the normalized model, printed for two engine matches."""
    found = log_likelihood_ratio(PairCounts(counts), lower, upper, EloModel.NORMALIZED)
    assert round(found, 2) == published


@pytest.mark.long
@given(st.tuples(*[st.integers(0, 500)] * 5), st.floats(1, 100))
def test_swapping_sides_negates_the_ratio(counts: Counts, elo: float) -> None:
    pairs = PairCounts(counts)
    for model in EloModel:
        there = log_likelihood_ratio(pairs, -elo, elo, model)
        assert log_likelihood_ratio(pairs.swap_sides, -elo, elo, model) == pytest.approx(-there, abs=1e-6)


@pytest.mark.long
@given(st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), min_size=1))
def test_pair_counts_give_the_score_and_deviation_of_their_pairs(points: list[float]) -> None:
    pairs = PairCounts()
    for one in points:
        pairs = pairs.add(one)
    scores = [one / 2 for one in points]
    assert pairs.pairs == len(points)
    assert pairs.score == pytest.approx(statistics.fmean(scores))
    assert pairs.deviation == pytest.approx(statistics.pstdev(scores))


@pytest.mark.parametrize("points", [-0.5, 0.25, 2.5])
def test_points_of_a_pair_are_those_of_two_matches(points: float) -> None:
    with pytest.raises(ValueError, match="0 to 2 points"):
        PairCounts().add(points)


@given(st.floats(-400, 400))
def test_elo_is_the_inverse_of_the_expected_score(elo: float) -> None:
    assert elo_difference(expected_score(elo)) == pytest.approx(elo, abs=1e-6)
    assert elo_difference(1) == math.inf == -elo_difference(0)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2))
def test_pair_differences_give_the_mean_and_deviation_of_their_pairs(values: list[float]) -> None:
    differences = PairDifferences()
    for value in values:
        differences = differences.add(value)
    assert differences.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert math.sqrt(differences.squares / len(values)) == pytest.approx(statistics.pstdev(values), abs=1e-4)


def test_stronger_effect_never_lowers_the_ratio() -> None:
    """Winning by the same amount every time gives an infinite effect size, the strongest possible evidence."""
    ratios = []
    for noise in (8.0, 4.0, 2.0, 1.0, 0.5, 0.0):
        differences = PairDifferences()
        for index in range(20):
            differences = differences.add(1 + (noise if index % 2 else -noise))
        ratios.append(differences.log_likelihood_ratio(0.5))
    assert ratios == sorted(ratios)
    assert ratios[-1] > 0
