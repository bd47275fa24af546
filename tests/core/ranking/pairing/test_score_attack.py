"""Score attack: every entry plays with the same random seeds, and the ranking is by faults first, then by scores."""

from __future__ import annotations

import pytest

from arena.core.ranking.pairing.base import PlayedRound, TournamentState
from arena.core.ranking.pairing.score_attack import ScoreAttack
from arena.core.ranking.results import Result
from arena.core.ranking.score_table import score_table


def single_seat_result(entry: int, score: float, *, fault: bool = False) -> Result:
    return Result((entry,), (1,), (score,), frozenset({entry} if fault else ()))


@pytest.mark.parametrize(("seats", "sizes"), [(1, [1] * 5), (2, [2, 2, 1]), (3, [3, 2]), (9, [5])])
def test_every_entry_plays_every_seed_once(seats: int, sizes: list[int]) -> None:
    system = ScoreAttack(2, seats)
    entries = (5, 3, 1, 2, 4)
    for number in range(2):
        round_ = system.next_round(TournamentState(entries, (PlayedRound(()),) * number))
        assert round_ is not None
        assert [len(one.entries) for one in round_.encounters] == sizes
        assert tuple(entry for one in round_.encounters for entry in one.entries) == entries
    assert system.next_round(TournamentState(entries, (PlayedRound(()),) * 2)) is None
    assert system.encounter_count(5) == 2 * len(sizes)


def test_withdrawn_entry_plays_no_further_seeds() -> None:
    round_ = ScoreAttack(2).next_round(TournamentState((1, 2, 3), withdrawn={2: 0}))
    assert round_ is not None
    assert [one.entries for one in round_.encounters] == [(1,), (3,)]
    assert ScoreAttack(2).next_round(TournamentState((1,), withdrawn={1: 0})) is None


def test_scores_are_summed_and_best_single_score_breaks_ties() -> None:
    results = [
        single_seat_result(1, 3),
        single_seat_result(1, 5),
        single_seat_result(2, 7),
        single_seat_result(2, 1),
        single_seat_result(3, 4.5),
        single_seat_result(3, 4.5),
    ]
    rows = score_table((1, 2, 3), results)
    assert [(row.entry, row.rank, row.points, row.tiebreaks) for row in rows] == [
        (3, 1, 9, (4.5, 4.5)),
        (2, 2, 8, (4, 7)),
        (1, 3, 8, (4, 5)),
    ]


def test_entries_tied_on_all_criteria_share_a_rank() -> None:
    rows = score_table((1, 2, 3), [single_seat_result(1, 2), single_seat_result(2, 2), single_seat_result(3, 1)])
    assert [(row.entry, row.rank) for row in rows] == [(1, 1), (2, 1), (3, 3)]


def test_mean_score_decides_while_numbers_of_seeds_differ() -> None:
    rows = score_table(
        (1, 2), [single_seat_result(1, 3), single_seat_result(1, 3), single_seat_result(1, 3), single_seat_result(2, 4)]
    )
    assert [(row.entry, row.points) for row in rows] == [(2, 4), (1, 9)]


def test_fault_outweighs_any_score_and_keeps_the_score() -> None:
    """A bot gains nothing by crashing at its best score, for example before its first wrong decision."""
    results = [
        single_seat_result(1, 1000, fault=True),
        single_seat_result(1, 1000),
        single_seat_result(2, -5),
        single_seat_result(2, -5),
        single_seat_result(3, 9, fault=True),
    ]
    rows = score_table((1, 2, 3), [*results, single_seat_result(3, 9, fault=True)])
    assert [(row.entry, row.rank, row.points, row.losses) for row in rows] == [
        (2, 1, -10, 0),
        (1, 2, 2000, 1),
        (3, 3, 18, 2),
    ]


def test_entry_withdrawn_after_a_lucky_seed_is_unranked() -> None:
    rows = score_table((1, 2, 3), [single_seat_result(1, 99), single_seat_result(2, 1)], withdrawn={1})
    assert [(row.entry, row.rank, row.points) for row in rows] == [(2, 1, 1), (1, None, 99), (3, None, 0)]


def test_order_of_results_does_not_matter() -> None:
    results = [single_seat_result(entry, score) for entry in (1, 2) for score in (0.1, 0.2, 0.3)]
    assert score_table((1, 2), results) == score_table((1, 2), results[::-1])
