"""Standings step by step: scores, each tiebreak, withdrawals."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.ranking.standings import Encounters, Result, StandingsRow, head_to_head, scores, standings
from arena.core.ranking.tiebreaks import Tiebreak

A, B, C, D = 1, 2, 3, 4


def win(winner: int, loser: int, margin: float = 10) -> Result:
    return Result((winner, loser), (1, 2), (margin, -margin))


def draw(one: int, other: int) -> Result:
    return Result((one, other), (1, 1), (0, 0))


def table_result(*ranks: int, forfeits: frozenset[int] = frozenset()) -> Result:
    """Return a result in which entries 1, 2, 3, ... have these ranks, and those in ``forfeits`` have forfeited."""
    return Result(tuple(range(1, len(ranks) + 1)), ranks, tuple(0.0 for _ in ranks), forfeits)


def order(rows: list[StandingsRow]) -> list[tuple[int, int | None]]:
    return [(row.entry, row.rank) for row in rows]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (win(A, B), (1, 0)),
        (Result((A, B), (2, 1), (0, 0)), (0, 1)),
        (draw(A, B), (0.5, 0.5)),
        (table_result(1, 2, forfeits=frozenset({2})), (1, 0)),
        (table_result(1, 1, forfeits=frozenset({1, 2})), (0, 0)),
        (table_result(1, 2, 3), (2, 1, 0)),
        (table_result(3, 1, 1), (0, 1.5, 1.5)),
        (table_result(1, 1, 1, 1), (1.5, 1.5, 1.5, 1.5)),
        (table_result(1, 2, 3, 3, forfeits=frozenset({3, 4})), (3, 2, 0, 0)),
    ],
)
def test_scores_of_one_match(result: Result, expected: tuple[float, ...]) -> None:
    assert scores(result) == expected


@given(st.lists(st.integers(1, 5), min_size=2, max_size=8), st.sets(st.integers(1, 8)))
def test_scores_are_sums_over_pairs(levels: list[int], forfeits: set[int]) -> None:
    ranks = [1 + sum(other < level for other in levels) for level in levels]
    out = frozenset(forfeits & set(range(1, len(ranks) + 1)))
    expected = []
    for seat, rank in enumerate(ranks):
        score = 0.0
        for other, other_rank in enumerate(ranks):
            both_out = {seat + 1, other + 1} <= out
            if other != seat and rank <= other_rank:
                score += 1 if rank < other_rank else 0 if both_out else 0.5
        expected.append(score)
    assert scores(table_result(*ranks, forfeits=out)) == tuple(expected)


def test_points_come_first() -> None:
    rows = standings([A, B, C], [win(C, A), win(C, B), draw(A, B)])
    assert order(rows) == [(C, 1), (A, 2), (B, 2)]
    assert rows[0] == StandingsRow(
        C, 1, points=2, played=2, wins=2, draws=0, losses=0, margin=20, tiebreaks=(None, 2, 20)
    )
    assert rows[1] == StandingsRow(
        A, 2, points=0.5, played=2, wins=0, draws=1, losses=1, margin=-10, tiebreaks=(0.5, 0, -10)
    )


def test_direct_encounter_breaks_ties_before_margin() -> None:
    results = [win(A, B, 2), win(B, C, 60), win(C, D), win(A, D), win(B, D), win(C, A, 30)]
    assert order(standings([A, B, C, D], results)) == [(B, 1), (A, 2), (C, 3), (D, 4)]  # a cycle: the margin decides
    results = [win(A, B, 2), win(B, C, 60), win(B, D), win(A, D), win(C, A), win(D, C)]
    assert order(standings([A, B, C, D], results)) == [(A, 1), (B, 2), (D, 3), (C, 4)]


def test_direct_encounter_is_reapplied_to_entries_still_tied() -> None:
    """Direct encounter first separates A and B from C and D, and then, within these pairs, B from A and D from C."""
    e = 5
    results = [win(A, C, 50), win(A, D, 50), win(B, A, 1), win(B, D, 1), win(C, B, 1), win(D, C, 1)]
    results += [win(C, e, 40), win(D, e, 1)]
    assert order(standings([A, B, C, D, e], results)) == [(B, 1), (A, 2), (D, 3), (C, 4), (e, 5)]


def test_direct_encounter_requires_that_all_tied_entries_met() -> None:
    results = [win(A, B, 2), win(B, C, 30), win(D, A, 2)]  # A, B and D have one point each; B and D have not met
    assert order(standings([A, B, C, D], results)) == [(B, 1), (D, 2), (A, 3), (C, 4)]


def test_direct_encounter_requires_equal_numbers_of_matches() -> None:
    results = [win(A, B, 1), win(A, B, 1), win(B, A, 1), win(B, C, 50), win(C, A, 1), win(A, D, 9), win(B, D, 50)]
    rows = standings([A, B, C, D], results)
    assert [row.points for row in rows[:2]] == [3, 3]
    assert rows[0].entry == A  # only A and B are tied, so all pairs of tied entries have met equally often
    results += [win(C, B, 1), win(C, D, 1)]  # now C is tied with them, but has met each of them only once
    assert standings([A, B, C, D], results)[0].entry == B


def test_wins_break_ties_before_margin() -> None:
    e = 5
    results = [draw(A, B), win(A, C, 1), win(D, A, 1), draw(A, e), draw(B, C), draw(B, D), draw(B, e)]
    rows = standings([A, B, C, D, e], results)
    assert [row.points for row in rows if row.entry in (A, B)] == [2, 2]
    assert order(rows)[:2] == [(A, 1), (B, 2)]


def test_entries_equal_on_all_criteria_share_a_rank() -> None:
    assert order(standings([A, B, C], [])) == [(A, 1), (B, 1), (C, 1)]
    assert order(standings([C, B, A], [win(A, B), win(B, C), win(C, A)])) == [(C, 1), (B, 1), (A, 1)]


def test_standings_of_a_table_with_many_seats() -> None:
    rows = standings([1, 2, 3], [table_result(1, 2, 3), table_result(2, 1, 3), table_result(1, 1, 3)])
    assert [(row.entry, row.rank, row.points) for row in rows] == [(1, 1, 4.5), (2, 1, 4.5), (3, 3, 0)]
    assert (rows[0].wins, rows[0].draws, rows[0].losses) == (1, 1, 1)


def test_second_of_eleven_has_mean_rank_two() -> None:
    seats = tuple(range(11))
    ranks = (1, *range(2, 12))
    rows = standings(seats, [Result(seats, ranks, (0.0,) * 11)] * 14)
    assert [(row.played, row.wins, row.mean_rank) for row in rows[:3]] == [(14, 14, 1), (14, 0, 2), (14, 0, 3)]


def test_mean_rank_gives_ties_the_better_rank_and_counts_only_tables() -> None:
    rows = standings([1, 2, 3], [table_result(1, 1, 3), table_result(2, 1, 2), win(1, 2)])
    found = {row.entry: (row.wins, row.draws, row.mean_rank) for row in rows}
    assert found == {1: (1, 1, 1.5), 2: (1, 1, 1), 3: (0, 0, 2.5)}
    assert [row.mean_rank for row in standings([A, B], [win(A, B), Result.walkover(A, B)])] == [None, None]


def test_forfeit_is_a_loss_for_the_seat_at_fault() -> None:
    rows = standings([A, B], [table_result(1, 1, forfeits=frozenset({1, 2}))])
    assert [(row.points, row.losses, row.draws) for row in rows] == [(0, 1, 0), (0, 1, 0)]


def test_entry_withdrawn_before_half_of_its_matches_is_not_counted() -> None:
    results = [win(A, B), win(D, A), win(C, A), win(B, C)]
    rows = standings([A, B, C, D], results, {D: 3})
    assert order(rows) == [(A, 1), (B, 1), (C, 1), (D, None)]
    assert [row.played for row in rows] == [2, 2, 2, 1]
    assert rows[-1].points == 1


def test_entry_withdrawn_after_half_of_its_matches_is_counted() -> None:
    results = [win(A, B), win(D, A), win(C, A), win(B, C), win(B, D), Result.walkover(C, D)]
    rows = standings([A, B, C, D], results, {D: 3})
    assert {row.entry: (row.points, row.played, row.losses) for row in rows} == {
        A: (1, 3, 2),
        B: (2, 3, 1),
        C: (2, 2, 1),
        D: (1, 2, 2),
    }
    assert None not in [row.rank for row in rows]


def test_walkover_over_entry_that_never_played_counts_if_no_schedule_is_fixed() -> None:
    results = [Result((1, 2), (1, 2), (0.0, 0.0), encounter=1), Result.walkover(3, 4, encounter=2)]
    table = {row.entry: row for row in standings([1, 2, 3, 4], results, {4: 0}, tuple(Tiebreak))}
    assert (table[3].points, table[3].wins, table[3].played) == (1.0, 1, 0)
    assert [table[entry].rank for entry in (3, 1, 2, 4)] == [1, 2, 3, None]
    scheduled = {row.entry: row for row in standings([1, 2, 3, 4], results, {4: 3})}
    assert scheduled[3].points == 0, "the results of an entry that left before half of its schedule are annulled"


def test_withdrawn_entry_is_removed_from_table_results() -> None:
    rows = standings([1, 2, 3], [table_result(3, 1, 2), table_result(1, 2, 3)], {2: 10})
    assert [(row.entry, row.rank, row.points, row.wins) for row in rows] == [
        (1, 1, 1, 1),
        (3, 1, 1, 1),
        (2, None, 3, 1),
    ]


def test_results_of_other_entries_are_ignored() -> None:
    assert [row.played for row in standings([A, B], [win(A, B), win(C, A)])] == [1, 1]


def test_head_to_head_counts_points_and_matches_of_each_pair() -> None:
    results = [win(A, B), draw(B, A), win(C, A), Result.walkover(B, C)]
    found = head_to_head([A, B, C], results)
    assert found[A] == {B: Encounters(1.5, 2), C: Encounters(0, 1)}
    assert found[B] == {A: Encounters(0.5, 2), C: Encounters(1, 0)}
    assert head_to_head([A, C], [table_result(1, 2, 3)]) == {A: {C: Encounters(1, 1)}, C: {A: Encounters(0, 1)}}


@pytest.mark.long
@given(st.randoms(use_true_random=False))
def test_order_of_results_does_not_matter(rng: random.Random) -> None:
    results = [rng.choice([win(a, b), win(b, a), draw(a, b)]) for a in range(6) for b in range(a)]
    entries = list(range(6))
    expected = standings(entries, results)
    rng.shuffle(results)
    assert standings(entries, results) == expected
    by_points = sorted(expected, key=lambda row: -row.points)
    assert [row.points for row in expected] == [row.points for row in by_points]
    assert expected[0].rank == 1


@pytest.mark.long
def test_hundred_thousand_results_in_reasonable_time() -> None:
    rng = random.Random(0)
    entries = list(range(500))
    results = [win(*rng.sample(entries, 2)) for _ in range(100_000)]
    started = time.process_time()
    assert len(standings(entries, results)) == 500
    assert time.process_time() - started < 5  # about half a second on an idle machine
