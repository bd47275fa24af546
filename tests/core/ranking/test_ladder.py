"""Whom a ladder pairs next."""

from __future__ import annotations

import pytest

from arena.core.ranking.ladder import Candidate, pairs, table
from arena.core.ranking.rating import Rating

VAGUE, KNOWN = 200.0, 20.0


def pool(*figures: tuple[float, float]) -> list[Candidate]:
    return [Candidate(entry, Rating(value, deviation)) for entry, (value, deviation) in enumerate(figures, start=1)]


def test_the_uncertain_and_close_come_first() -> None:
    candidates = pool((1500, VAGUE), (1500, KNOWN), (1520, VAGUE), (2400, KNOWN), (1510, KNOWN))
    assert pairs(candidates, 1) == [(1, 3)]
    assert pairs(candidates, 9) == [(1, 3), (2, 5)]  # nobody twice, and the champion would learn nothing
    assert pairs(candidates[::-1], 9) == pairs(candidates, 9)


def test_it_rests_where_everything_is_known() -> None:
    assert pairs(pool((1500, 10), (1505, 10), (1900, 10)), 5) == []
    assert pairs(pool((1500, VAGUE)), 5) == []
    assert pairs([], 5) == []


def test_what_is_under_way_counts_as_played() -> None:
    one, other, third, fourth = pool((1500, 60), (1500, 60), (1500, 55), (1500, 55))
    assert pairs([one, other, third, fourth], 1) == [(1, 2)]
    busy = [Candidate(each.entry, each.rating, pending=10) for each in (one, other)]
    assert pairs([*busy, third, fourth], 1) == [(3, 4)]
    assert busy[0].expected.deviation < one.rating.deviation


def test_a_ladder_that_goes_on_rests_at_last() -> None:
    candidates = pool(*[(1500 + 30 * entry, 300) for entry in range(6)])
    played = 0
    while found := pairs(candidates, 3):
        seated = {entry for pair in found for entry in pair}
        candidates = [Candidate(one.entry, one.rating, one.pending + (one.entry in seated)) for one in candidates]
        played += len(found)
        assert played < 5_000
    assert played > 500


def test_a_table_seats_those_who_tell_most() -> None:
    candidates = pool((1500, VAGUE), (1500, KNOWN), (1520, VAGUE), (2600, KNOWN), (1510, KNOWN))
    assert table(candidates, 3)[:2] == (1, 3)
    assert 4 not in table(candidates, 4)
    assert sorted(table(candidates, 9)) == [1, 2, 3, 4, 5]
    assert table(pool((1500, 5), (1500, 5)), 4) == ()


@pytest.mark.parametrize("pending", [0, 1, 50])
def test_the_expected_rating_keeps_its_value(pending: int) -> None:
    assert Candidate(1, Rating(1700, 80), pending).expected.value == 1700
