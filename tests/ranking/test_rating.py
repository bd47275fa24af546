"""Ratings: known cases in closed form, and what must hold for any results."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ranking.rating import RatedResult, rate

WON, DRAWN = (1, 2), (1, 1)


def test_nobody() -> None:
    assert rate([]) == {}
    assert rate([RatedResult((1,), (1,))]) == {}


def test_level_players_have_the_mean() -> None:
    ratings = rate(
        [RatedResult((1, 2), WON), RatedResult((2, 1), WON), RatedResult((3, 1), DRAWN), RatedResult((3, 2), DRAWN)]
    )
    for rating in ratings.values():
        assert rating.value == pytest.approx(1500, abs=1e-3)


def test_one_win_in_closed_form() -> None:
    """By symmetry the logarithms are x and -x; the derivative of the posterior is 0 where
    1 - p(2x) + 1 - 2 p(x) = 0, p the logistic function."""
    ratings = rate([RatedResult((1, 2), WON)])
    x = (ratings[1].value - 1500) * math.log(10) / 400

    def logistic(t: float) -> float:
        return 1 / (1 + math.exp(-t))

    assert 2 - logistic(2 * x) - 2 * logistic(x) == pytest.approx(0, abs=1e-6)
    assert ratings[1].value + ratings[2].value == pytest.approx(3000)


def test_many_matches_outweigh_the_prior() -> None:
    """Three wins of four are odds of three to one: 400 log10(3) points."""
    results = [RatedResult((1, 2), WON)] * 3000 + [RatedResult((2, 1), WON)] * 1000
    ratings = rate(results)
    assert ratings[1].value - ratings[2].value == pytest.approx(400 * math.log10(3), abs=1)


def test_the_unbeaten_stay_finite_and_uncertain() -> None:
    results = [RatedResult((1, other), WON) for other in (2, 3, 4) for _ in range(20)]
    results += [RatedResult((2, 3), DRAWN), RatedResult((3, 4), DRAWN)] * 20
    ratings = rate(results)
    assert 1500 < ratings[1].value < 3000
    assert ratings[1].deviation > ratings[3].deviation > 0


def test_more_matches_mean_less_deviation() -> None:
    few = rate([RatedResult((1, 2), WON), RatedResult((2, 1), WON)])
    many = rate([RatedResult((1, 2), WON), RatedResult((2, 1), WON)] * 50)
    assert many[1].deviation < few[1].deviation / 4


def test_a_seat_at_a_large_table_weighs_as_one_match() -> None:
    """Deviations after a table of nine and after one match are about the same."""
    table = rate([RatedResult(tuple(range(9)), (1,) * 9)])
    pair = rate([RatedResult((1, 2), DRAWN)])
    assert table[0].deviation == pytest.approx(pair[1].deviation)


def test_a_table_orders_its_seats() -> None:
    ratings = rate([RatedResult((7, 8, 9), (2, 1, 3))] * 5)
    assert ratings[8].value > ratings[7].value > ratings[9].value


@given(
    st.lists(st.tuples(st.permutations(range(6)), st.sampled_from([WON, DRAWN, (1, 2, 3), (1, 1, 3), (1, 2, 2, 4)]))),
    st.randoms(use_true_random=False),
)
def test_the_order_of_results_never_matters(drawn: list[tuple[list[int], tuple[int, ...]]], rng: random.Random) -> None:
    results = [RatedResult(tuple(entries[: len(ranks)]), ranks) for entries, ranks in drawn]
    expected = rate(results)
    rng.shuffle(results)
    assert rate(results) == expected
    if expected:
        assert sum(rating.value for rating in expected.values()) / len(expected) == pytest.approx(1500)
        assert all(math.isfinite(rating.value) and rating.deviation > 0 for rating in expected.values())


def test_recovers_strengths_that_made_the_results() -> None:
    rng = random.Random(1)
    true = {entry: 1200 + 60 * entry for entry in range(11)}
    results = []
    for one in true:
        for other in range(one):
            for _ in range(100):
                chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
                pair = (one, other) if rng.random() < chance else (other, one)
                results.append(RatedResult(pair, WON))
    for entry, rating in rate(results).items():
        assert abs(rating.value - true[entry]) < 4 * rating.deviation
