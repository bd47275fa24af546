"""Each tiebreak equals the value calculated by hand, even if some encounters were not played."""

from __future__ import annotations

import random

import pytest

from arena.core.ranking.results import Result
from arena.core.ranking.standings import standings
from arena.core.ranking.tiebreaks import Tiebreak

A, B, C, D = 1, 2, 3, 4


def win(winner: int, loser: int, encounter: int | None = None) -> Result:
    return Result((winner, loser), (1, 2), (10, -10), encounter=encounter)


def draw(one: int, other: int, encounter: int | None = None) -> Result:
    return Result((one, other), (1, 1), (0, 0), encounter=encounter)


# A 2.5, B 1.5, C 1.5, D 0.5.
FOUR = [win(A, B), draw(A, C), win(A, D), win(B, C), draw(B, D), win(C, D)]


def tiebreak_figures(
    tiebreak: Tiebreak, results: list[Result], entries: tuple[int, ...] = (A, B, C, D)
) -> dict[int, object]:
    return {row.entry: row.tiebreaks[0] for row in standings(entries, results, tiebreaks=[tiebreak])}


@pytest.mark.parametrize(
    ("tiebreak", "expected"),
    [
        (Tiebreak.BUCHHOLZ, {A: 3.5, B: 4.5, C: 4.5, D: 5.5}),
        (Tiebreak.BUCHHOLZ_CUT_1, {A: 3.0, B: 4.0, C: 4.0, D: 4.0}),
        (Tiebreak.SONNEBORN_BERGER, {A: 1.5 + 0.75 + 0.5, B: 1.5 + 0.25, C: 1.25 + 0.5, D: 0.75}),
        (Tiebreak.DIRECT_ENCOUNTER, {A: None, B: 1, C: 0, D: None}),
        (Tiebreak.WINS, {A: 2, B: 1, C: 1, D: 0}),
        (Tiebreak.MARGIN, {A: 20, B: 0, C: 0, D: -20}),
    ],
)
def test_tiebreaks_match_hand_calculation(tiebreak: Tiebreak, expected: dict[int, object]) -> None:
    assert tiebreak_figures(tiebreak, FOUR) == expected


def test_encounter_of_two_matches_counts_once() -> None:
    twice = [copy for number, one in enumerate(FOUR) for copy in _opponents_both_ways(one, number)]
    double = {entry: 2 * value for entry, value in tiebreak_figures(Tiebreak.SONNEBORN_BERGER, FOUR).items()}  # type: ignore[operator]
    assert tiebreak_figures(Tiebreak.SONNEBORN_BERGER, twice) == double  # because the opponents' points have doubled
    assert tiebreak_figures(Tiebreak.BUCHHOLZ_CUT_1, twice) == {A: 6, B: 8, C: 8, D: 8}


def _opponents_both_ways(result: Result, encounter: int) -> list[Result]:
    swapped = Result(result.entries[::-1], result.ranks[::-1], result.margins[::-1], encounter=encounter)
    return [Result(result.entries, result.ranks, result.margins, encounter=encounter), swapped]


def test_losing_one_match_of_an_encounter_halves_its_share() -> None:
    results = [win(A, B, 1), win(B, A, 1), win(C, B, 2), win(C, B, 2)]
    assert tiebreak_figures(Tiebreak.SONNEBORN_BERGER, results, (A, B, C)) == {C: 1, A: 0.5, B: 0.5}


def test_bye_counts_as_an_opponent_with_the_same_points() -> None:
    results = [win(A, B), Result.bye(C), win(A, C)]
    assert tiebreak_figures(Tiebreak.BUCHHOLZ, results, (A, B, C)) == {A: 1, C: 1 + 2, B: 2}
    assert tiebreak_figures(Tiebreak.SONNEBORN_BERGER, results, (A, B, C)) == {A: 1, C: 1, B: 0}
    rows = {row.entry: row for row in standings((A, B, C), results)}
    assert (rows[C].points, rows[C].played, rows[C].wins) == (1, 1, 1)


def test_walkover_counts_as_an_opponent_with_the_same_points() -> None:
    results = [win(A, B), Result.walkover(A, C)]
    assert tiebreak_figures(Tiebreak.BUCHHOLZ, results, (A, B, C)) == {A: 2, B: 2, C: 0}


def test_all_seats_at_a_table_are_opponents() -> None:
    results = [Result((A, B, C), (1, 2, 3), (5.0, 3.0, 1.0))]
    assert tiebreak_figures(Tiebreak.BUCHHOLZ, results, (A, B, C)) == {A: 1, B: 2, C: 3}
    assert tiebreak_figures(Tiebreak.SONNEBORN_BERGER, results, (A, B, C)) == {A: 1, B: 0, C: 0}


def test_chosen_order_of_tiebreaks_decides() -> None:
    results = [win(A, C), win(B, D), win(D, C), win(B, A), win(A, D), win(C, B)]  # A and B have 2 wins, C and D have 1
    by_wins = standings((A, B, C, D), results, tiebreaks=[Tiebreak.WINS])
    assert [row.rank for row in by_wins] == [1, 1, 3, 3]
    by_encounter = standings((A, B, C, D), results, tiebreaks=[Tiebreak.WINS, Tiebreak.DIRECT_ENCOUNTER])
    assert [(row.entry, row.rank) for row in by_encounter] == [(B, 1), (A, 2), (D, 3), (C, 4)]
    assert [row.rank for row in standings((A, B, C, D), results, tiebreaks=[])] == [1, 1, 3, 3]


@pytest.mark.parametrize("tiebreak", list(Tiebreak))
def test_order_of_results_does_not_matter(tiebreak: Tiebreak) -> None:
    rng = random.Random(3)
    results = []
    for encounter in range(60):
        entries = tuple(rng.sample(range(9), rng.choice((2, 2, 4))))
        ranks = tuple(sorted(rng.choices((1, 2), k=len(entries))))
        ranks = tuple(1 if rank == ranks[0] else 1 + ranks.count(ranks[0]) for rank in ranks)
        margins = tuple(rng.random() for _ in entries)
        results += [Result(entries, ranks, margins, encounter=encounter)] * rng.choice((1, 2))
    expected = standings(range(9), results, tiebreaks=[tiebreak])
    for _ in range(20):
        rng.shuffle(results)
        assert standings(range(9), results, tiebreaks=[tiebreak]) == expected
