"""Berger tables match FIDE's tables and pass a checker that is independent of how they are built."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.core.ranking.pairing.berger import BergerRound, berger_round, berger_rounds

# FIDE Handbook C.05, Annex 1.
BERGER = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


def cycle(entries: list[int]) -> list[BergerRound]:
    """Return the rounds in which every entry meets every other entry once."""
    return [berger_round(entries, number) for number in range(berger_rounds(len(entries)))]


@pytest.mark.parametrize("count", BERGER)
def test_berger_tables_match_fide(count: int) -> None:
    rounds = cycle(list(range(1, count + 1)))
    assert [" ".join(f"{a}-{b}" for a, b in round_.pairings) for round_ in rounds] == BERGER[count]


@pytest.mark.parametrize("count", [*range(2, 34), 99, 100])
def test_each_pair_meets_exactly_once(count: int) -> None:
    entries = list(range(100, 100 + count))
    met: Counter[frozenset[int]] = Counter()
    lead: Counter[int] = Counter()
    for round_ in cycle(entries):
        resting = [] if round_.bye is None else [round_.bye]
        assert sorted([*resting, *(entry for pair in round_.pairings for entry in pair)]) == entries
        met.update(frozenset(pair) for pair in round_.pairings)
        lead.update(first for first, _ in round_.pairings)
        lead.subtract(second for _, second in round_.pairings)
    assert set(met.values()) == {1}
    assert len(met) == count * (count - 1) // 2
    assert {abs(lead[entry]) for entry in entries} <= ({1} if count % 2 == 0 else {0})


def test_odd_entries_get_one_bye_each() -> None:
    assert [round_.bye for round_ in cycle([1, 2, 3])] == [1, 3, 2]
    assert {round_.bye for round_ in cycle([1, 2, 3, 4])} == {None}
    assert cycle([]) == cycle([1]) == []
