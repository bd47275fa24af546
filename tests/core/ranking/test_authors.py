"""Bots by the same author are never compared with each other."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.ranking.authors import Authors
from arena.core.ranking.rating import RatedResult
from tests.core.ranking.batch_ratings import rate_entries

ANN, BOB = 1, 2
AUTHORS = Authors({10: ANN, 11: ANN, 12: ANN, 20: BOB, 21: BOB})  # 30 and 31 are house bots
WON = (1, 2)


def test_matches_between_an_authors_own_bots_are_ignored() -> None:
    others = {RatedResult((10, 20), WON): 2, RatedResult((30, 31), WON): 3, RatedResult((11, 30), WON): 1}
    own = {RatedResult((10, 11), WON): 50, RatedResult((21, 20), WON): 50, RatedResult((10, 11, 12), (1, 2, 3)): 9}
    assert AUTHORS.contested_results({**others, **own}) == others
    assert AUTHORS.comparable_results({**others, **own}) == others
    assert AUTHORS.have_same_author(10, 12)
    assert AUTHORS.have_same_author(30, 30)
    assert not AUTHORS.have_same_author(30, 31)


def test_author_cannot_boost_a_bot_with_another_bot() -> None:
    honest = {RatedResult((10, 20), WON): 20, RatedResult((20, 10), WON): 20, RatedResult((11, 20), WON): 20}
    thrown = {**honest, RatedResult((10, 11), WON): 400}
    assert rate_entries(AUTHORS.comparable_results(thrown)) == rate_entries(AUTHORS.comparable_results(honest))


def test_table_counts_once_for_an_author_with_several_bots() -> None:
    table = RatedResult((10, 20, 11, 30, 12), (1, 2, 3, 4, 5))
    assert AUTHORS.comparable_results({table: 6}) == {
        RatedResult((10, 20, 30), (1, 2, 4)): 2,
        RatedResult((20, 11, 30), (2, 3, 4)): 2,
        RatedResult((20, 30, 12), (2, 4, 5)): 2,
    }
    assert AUTHORS.comparable_results({RatedResult((10, 20, 30), (1, 1, 3)): 6}) == {
        RatedResult((10, 20, 30), (1, 1, 3)): 6
    }


def test_order_of_an_authors_bots_at_a_table_affects_neither_rating() -> None:
    ratings = rate_entries(AUTHORS.comparable_results({RatedResult((10, 11, 20), (1, 2, 3)): 8}))
    assert ratings[10].value == pytest.approx(ratings[11].value)


@pytest.mark.long
@settings(max_examples=30)
@given(st.randoms(use_true_random=False), st.integers(1, 30))
def test_comparisons_never_pair_an_authors_bots_and_lose_no_other_pair(rng: random.Random, tables: int) -> None:
    entries = [*AUTHORS.of, 30, 31]
    results: Counter[RatedResult] = Counter()
    for _ in range(tables):
        seated = rng.sample(entries, rng.randint(2, len(entries)))
        results[RatedResult(tuple(seated), tuple(rng.randint(1, 4) for _ in seated))] += 1
    found = AUTHORS.comparable_results(results)
    for result in found:
        for place, one in enumerate(result.entries):
            assert not any(AUTHORS.have_same_author(one, other) for other in result.entries[place + 1 :])
    assert sum(found.values()) == pytest.approx(sum(AUTHORS.contested_results(results).values()))
    shuffled = list(results.items())
    rng.shuffle(shuffled)
    assert AUTHORS.comparable_results(dict(shuffled)) == found


def test_two_bots_of_an_author_at_a_table_do_not_distort_ratings() -> None:
    """If ranks are drawn from equal strengths, two bots by one author at the same table gain no rating advantage."""
    rng = random.Random(3)
    results: Counter[RatedResult] = Counter()
    for _ in range(3000):
        seated = [10, 11, 20, 30]
        results[RatedResult(tuple(rng.sample(seated, 4)), (1, 2, 3, 4))] += 1
    ratings = rate_entries(AUTHORS.comparable_results(results))
    assert max(abs(rating.value - 1500) for rating in ratings.values()) < 15
