"""Pairings against FIDE's tables and against a checker that knows nothing of how they are made."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.ranking.pairing.berger import Round, double_round_robin, round_robin, tables

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


def check(rounds: list[Round[int]], entries: list[int], meetings: int) -> None:
    """Everybody meets everybody so often; nobody twice in a round; whoever does not play has the bye."""
    met: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    for round_ in rounds:
        playing = [entry for pair in round_.pairings for entry in pair]
        resting = [] if round_.bye is None else [round_.bye]
        assert sorted(playing + resting) == sorted(entries)
        met.update(frozenset(pair) for pair in round_.pairings)
        byes.update(resting)
    assert set(met.values()) <= {meetings}
    assert len(met) == len(entries) * (len(entries) - 1) // 2
    assert len(set(byes.values())) <= 1


def seat_lead(rounds: list[Round[int]]) -> dict[int, int]:
    """How much more often each entry had the first seat than the second."""
    lead: Counter[int] = Counter()
    for round_ in rounds:
        for first, second in round_.pairings:
            lead[first] += 1
            lead[second] -= 1
    return dict(lead)


@pytest.mark.parametrize("count", BERGER)
def test_the_tables_of_fide(count: int) -> None:
    rounds = round_robin(list(range(1, count + 1)))
    assert [" ".join(f"{a}-{b}" for a, b in round_.pairings) for round_ in rounds] == BERGER[count]


@pytest.mark.parametrize("count", [*range(2, 34), 99, 100])
def test_everybody_meets_everybody(count: int) -> None:
    entries = list(range(100, 100 + count))
    single = round_robin(entries)
    check(single, entries, 1)
    assert len(single) == count - 1 + count % 2
    assert {abs(lead) for lead in seat_lead(single).values()} <= ({1} if count % 2 == 0 else {0})
    double = double_round_robin(entries)
    check(double, entries, 2)
    assert set(seat_lead(double).values()) == {0}
    assert len({pair for round_ in double for pair in round_.pairings}) == count * (count - 1)


def test_repeats() -> None:
    entries = [1, 2, 3, 4, 5]
    check(round_robin(entries, 3), entries, 3)
    check(double_round_robin(entries, 2), entries, 4)
    assert max(map(abs, seat_lead(round_robin([1, 2, 3, 4], 3)).values())) == 1


def test_byes() -> None:
    assert [round_.bye for round_ in round_robin([1, 2, 3])] == [1, 3, 2]
    assert {round_.bye for round_ in round_robin([1, 2, 3, 4])} == {None}


def test_too_few_and_too_many() -> None:
    assert round_robin([]) == round_robin([1]) == []
    with pytest.raises(ValueError, match="only once"):
        round_robin([1, 2, 1])


def test_tables() -> None:
    assert tables([1, 2, 3], 4) == [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]
    assert tables([], 3) == []
