"""Ratings: known cases in closed form, and properties that hold for any results."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.ranking.choices import distinct_values
from arena.core.ranking.rating import (
    FIRST_DEVIATION,
    PER_NEPER,
    STEP_DEVIATION,
    RankTable,
    RatedResult,
    Rating,
)
from tests.core.ranking.batch_ratings import rate_entries

WON, DRAWN = (1, 2), (1, 1)


def win(winner: int, loser: int) -> RatedResult:
    return RatedResult((winner, loser), WON)


def test_no_results_give_no_ratings() -> None:
    assert rate_entries({}) == {}
    assert rate_entries({RatedResult((1,), (1,)): 3, RatedResult((1, 1), WON): 1}) == {}


def test_players_who_only_draw_are_rated_at_the_mean() -> None:
    ratings = rate_entries(
        {win(1, 2): 1, win(2, 1): 1, RatedResult((3, 1), DRAWN): 1, RatedResult((3, 2), DRAWN): 1},
    )
    for rating in ratings.values():
        assert rating.value == pytest.approx(1500)


def test_rating_after_one_win_matches_the_closed_form() -> None:
    """By symmetry, the strengths of the winner and the loser are x and -x.

    The derivative of the posterior is 0 where 1 - p(2x) = x / s^2, where p is the logistic function and s the standard
    deviation of the prior.
    """
    ratings = rate_entries({win(1, 2): 1})
    x = (ratings[1].value - 1500) / PER_NEPER
    assert 1 - 1 / (1 + math.exp(-2 * x)) == pytest.approx(x * (PER_NEPER / FIRST_DEVIATION) ** 2)
    assert ratings[1].value + ratings[2].value == pytest.approx(3000)


def test_interval_of_a_difference_matches_the_closed_form() -> None:
    """The difference between two entries that are level after n draws has the precision n / 4 + 1 / (2 s^2).

    Each draw adds 1/4; s is the standard deviation of the prior of each entry.
    """
    n = 10
    ratings = rate_entries({RatedResult((1, 2), DRAWN): n})
    precision = n / 4 + (PER_NEPER / FIRST_DEVIATION) ** 2 / 2  # precision of the difference
    half = math.sqrt(1 / precision) / 2
    assert ratings[1].deviation == pytest.approx(PER_NEPER * half)
    assert ratings[1].upper_bound - ratings[1].lower_bound == pytest.approx(2 * 1.959964 * ratings[1].deviation)


def test_many_matches_outweigh_the_prior() -> None:
    """After many matches, three wins in four give odds of almost three to one: a lead of 400 log10(3) points."""
    ratings = rate_entries({win(1, 2): 3000, win(2, 1): 1000})
    assert ratings[1].value - ratings[2].value == pytest.approx(400 * math.log10(3), abs=1)


def test_ratings_of_unbeaten_entries_stay_finite_and_uncertain() -> None:
    results = {win(1, other): 20 for other in (2, 3, 4)}
    results |= {RatedResult((2, 3), DRAWN): 20, RatedResult((3, 4), DRAWN): 20}
    ratings = rate_entries(results)
    assert 1500 < ratings[1].value < 3000
    assert ratings[1].deviation > ratings[3].deviation > 0


def test_more_matches_reduce_the_deviation() -> None:
    few = rate_entries({win(1, 2): 1, win(2, 1): 1})
    many = rate_entries({win(1, 2): 50, win(2, 1): 50})
    assert many[1].deviation < few[1].deviation / 4


def test_table_is_a_sequence_of_choices() -> None:
    """In the Plackett-Luce model, the first of three entries is chosen among all, then the second among the rest."""
    table = rate_entries({RatedResult((7, 8, 9), (2, 1, 3)): 5})
    assert table[8].value > table[7].value > table[9].value
    # The choice of the last entry is certain, so a table of two is the same as a two-player match.
    one, other = rate_entries({RatedResult((7, 8), (1, 2)): 1}), rate_entries({RatedResult((8, 7), (2, 1)): 1})
    assert one == other


def test_entries_tied_at_a_table_have_equal_ratings() -> None:
    ratings = rate_entries({RatedResult((1, 2, 3, 4), (1, 2, 2, 2)): 4})
    assert ratings[2].value == pytest.approx(ratings[3].value)
    assert ratings[1].value > ratings[2].value
    assert {round(rating.value, 6) for rating in rate_entries({RatedResult((1, 2, 3), (1, 1, 1)): 9}).values()} == {
        1500
    }


def test_new_version_starts_from_its_predecessor_with_a_wide_interval() -> None:
    results = {win(1, 2): 300, win(2, 1): 100}
    ratings = rate_entries(results, {3: 1})
    assert ratings[3].value == pytest.approx(ratings[1].value)
    assert ratings[3].deviation == pytest.approx(math.hypot(ratings[1].deviation, STEP_DEVIATION))
    alone = rate_entries(results)
    assert ratings[1].value == pytest.approx(alone[1].value)
    assert ratings[1].deviation == pytest.approx(alone[1].deviation)


def test_new_version_soon_departs_from_its_predecessor() -> None:
    ratings = rate_entries({win(1, 2): 300, win(2, 1): 100, win(2, 3): 30}, {3: 1})
    assert ratings[3].value < ratings[2].value < ratings[1].value


@pytest.mark.long
@given(
    st.lists(st.tuples(st.permutations(range(6)), st.sampled_from([WON, DRAWN, (1, 2, 3), (1, 1, 3), (1, 2, 2, 4)]))),
    st.randoms(use_true_random=False),
)
def test_order_of_results_does_not_matter(drawn: list[tuple[list[int], tuple[int, ...]]], rng: random.Random) -> None:
    results = [RatedResult(tuple(entries[: len(ranks)]), ranks) for entries, ranks in drawn]
    expected = rate_entries(Counter(results), {5: 4})
    rng.shuffle(results)
    assert rate_entries(Counter(results), {5: 4}) == expected
    first = [rating.value for entry, rating in expected.items() if entry != 5]
    assert sum(first) / len(first) == pytest.approx(1500)
    assert all(math.isfinite(rating.value) and rating.deviation >= 0 for rating in expected.values())


def test_names_of_entries_do_not_matter() -> None:
    rng = random.Random(2)
    results = Counter(win(*rng.sample(range(8), 2)) for _ in range(200))
    names = rng.sample(range(100), 8)
    renamed = Counter({win(names[one.entries[0]], names[one.entries[1]]): n for one, n in results.items()})
    expected = rate_entries(results)
    for entry, rating in rate_entries(renamed).items():
        assert rating.value == pytest.approx(expected[names.index(entry)].value, abs=1e-7)
        assert rating.deviation == pytest.approx(expected[names.index(entry)].deviation, abs=1e-7)


def test_intervals_cover_the_true_strengths() -> None:
    """About 95 % of intervals contain the true strength, over many seasons with strengths drawn from the prior."""
    rng = random.Random(1)
    inside = total = 0
    for _ in range(60):
        true = [rng.gauss(0, FIRST_DEVIATION) for _ in range(8)]
        mean = sum(true) / len(true)
        results: Counter[RatedResult] = Counter()
        for one in range(8):
            for other in range(one):
                for _ in range(10):
                    chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
                    results[win(one, other) if rng.random() < chance else win(other, one)] += 1
        for entry, rating in rate_entries(results).items():
            inside += rating.lower_bound <= 1500 + true[entry] - mean <= rating.upper_bound
            total += 1
    assert 0.92 < inside / total < 0.98


def places(ratings: Sequence[Rating]) -> list[tuple[int, int]]:
    table = RankTable([one.value for one in ratings], [one.deviation for one in ratings])
    return [table.rank_range(rating) for rating in ratings]


def test_places_of_statistically_equal_entries() -> None:
    ratings = [Rating(2000, 10), Rating(1600, 20), Rating(1570, 20), Rating(1500, 20), Rating(1100, 10)]
    assert places(ratings) == [(1, 1), (2, 3), (2, 4), (3, 4), (5, 5)]
    assert places([]) == []
    assert places([Rating(1500, 300)] * 3) == [(1, 3)] * 3


@pytest.mark.parametrize("values", [[], [3], [5, 2, 5, 0], [2**40, 7, 2**40]])
def test_distinct_values_match_numpy(values: list[int]) -> None:
    array = np.array(values, dtype=np.int64)
    found, places = distinct_values(array)
    assert found.tolist() == sorted(set(values))
    assert found[places].tolist() == values
