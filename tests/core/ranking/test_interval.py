"""Confidence intervals match published values."""

from __future__ import annotations

import pytest

from arena.core.ranking.interval import mean_half_width, t_quantile, wilson_interval


@pytest.mark.parametrize(
    ("score", "matches", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),  # from Newcombe's table I, too
        (0, 20, 0.0, 0.1611),  # from Newcombe's table I, too
        (1, 29, 0.0061, 0.1718),  # from Newcombe's table I, too
    ],
)
def test_wilson_intervals_match_published_values(score: float, matches: int, low: float, high: float) -> None:
    assert wilson_interval(score, matches) == pytest.approx((low, high), abs=0.00005)


def test_rate_is_inside_its_interval() -> None:
    for matches in range(1, 60):
        for halves in range(2 * matches + 1):
            low, high = wilson_interval(halves / 2, matches)
            assert 0 <= low <= halves / 2 / matches <= high <= 1


@pytest.mark.parametrize(("score", "matches"), [(1, 0), (-1, 5), (6, 5)])
def test_impossible_scores_are_refused(score: float, matches: int) -> None:
    with pytest.raises(ValueError, match="score"):
        wilson_interval(score, matches)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_t_quantiles_match_published_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, rel=0.005)


def test_single_match_gives_no_interval_for_a_mean() -> None:
    assert mean_half_width([3.0]) is None
    assert mean_half_width([1.0, 3.0]) == pytest.approx(12.706, abs=0.001)
