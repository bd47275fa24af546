"""Alpha-beta finds the same values as minimax, and visits far fewer positions."""

from __future__ import annotations

import itertools

import pytest

from bots.reversi.house.engine.bitboard import CORNERS, iterate_squares, legal_moves
from bots.reversi.house.engine.evaluation import DISC, WON, Weights, create_evaluation, final_lead, final_value
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.search import OutOfTime, Search, SearchFeatures
from bots.reversi.house.engine.table import Bound, TranspositionTable, settles_search, zobrist_key
from tests.bots.reversi.minimax import Minimax
from tests.bots.reversi.positions import MIDDLE_GAMES, position_after_line, random_position

ESTIMATE = create_evaluation(Weights())
ALL_PARTS = [
    SearchFeatures(ordering, table, windows) for ordering, table, windows in itertools.product((False, True), repeat=3)
]


@pytest.mark.long
@pytest.mark.parametrize("parts", ALL_PARTS)
@pytest.mark.parametrize("plies", [6, 25, 40, 52, 57])
def test_move_ordering_table_and_windows_do_not_change_values(plies: int, parts: SearchFeatures) -> None:
    for seed in range(3):
        position = random_position(seed, plies)
        search = Search(ESTIMATE, TranspositionTable(), parts)
        for depth in range(1, 4):  # in increasing order, so that the table contains values from shallower searches
            assert search.value(*position, depth) == Minimax(ESTIMATE).value(*position, depth)


@pytest.mark.long
def test_each_search_technique_reduces_visited_positions() -> None:
    """At depth 4, each technique reduces the number of visited positions; the benchmark searches to depth 6."""
    position = position_after_line(MIDDLE_GAMES[0])
    plain = Minimax(ESTIMATE)
    plain.value(*position, 4)
    counts = [plain.nodes]
    for parts in (SearchFeatures(ordering=False, table=False, windows=False), SearchFeatures(windows=False)):
        search = Search(ESTIMATE, TranspositionTable(), parts)
        search.value(*position, 4)
        counts.append(search.nodes)
    assert counts[0] > 5 * counts[1]
    assert counts[1] > 3 * counts[2]


@pytest.mark.long
def test_selective_pruning_saves_positions_with_small_errors() -> None:
    counts, far = [0, 0], 0
    for seed in range(12):
        position = random_position(seed, 16)
        values = []
        for uses_probcut in (False, True):
            search = Search(learned_evaluation(), TranspositionTable(), SearchFeatures(uses_probcut=uses_probcut))
            values.append([search.value(*position, depth) for depth in range(1, 6)][-1])
            counts[uses_probcut] += search.nodes
        far += abs(values[0] - values[1]) > 3 * DISC
    assert counts[1] < 0.8 * counts[0]
    assert far <= 2


@pytest.mark.long
@pytest.mark.parametrize("window", [(-50, 50), (0, 1), (400, 900)])
def test_value_outside_the_window_is_a_bound(window: tuple[int, int]) -> None:
    low, high = window
    for seed in range(10):
        position = random_position(seed, 20)
        exact = Minimax(ESTIMATE).value(*position, 3)
        found = Search(ESTIMATE, TranspositionTable()).value(*position, 3, low, high)
        assert found == exact if low < exact < high else exact <= found <= low or high <= found <= exact


def test_search_stops_at_its_deadline() -> None:
    ticks = iter(range(1000))
    search = Search(ESTIMATE, TranspositionTable(), deadline=3, clock=lambda: next(ticks))
    with pytest.raises(OutOfTime):
        search.value(*position_after_line(MIDDLE_GAMES[0]), 8)
    # the clock is read every 64 positions or slightly more: 0, 1, 2, 3 and then 4
    assert 5 * 64 <= search.nodes < 5 * 100


def test_estimate_is_negated_for_the_other_side() -> None:
    for seed in range(60):
        own, other = random_position(seed, seed)
        assert ESTIMATE(own, other) == -ESTIMATE(other, own)
        assert abs(ESTIMATE(own, other)) < WON or not legal_moves(own, other) | legal_moves(other, own)


def test_corners_are_valuable_and_x_squares_are_not() -> None:
    own, other = position_after_line(MIDDLE_GAMES[1])
    for corner in iterate_squares(CORNERS & ~(own | other)):
        assert ESTIMATE(own | corner, other) > ESTIMATE(own, other)
    beside = 1 << 9
    assert ESTIMATE(own | beside, other & ~beside) < ESTIMATE(own & ~beside, other & ~beside)


def test_final_position_counts_empty_squares_for_the_winner() -> None:
    assert final_lead(0b111, 0) == 64
    assert final_lead(0b1, 0b110) == 2 - 64
    assert final_lead(0b1, 0b10) == 0
    assert final_value(0b111, 0) == WON + 64 * DISC
    assert final_value(0b1, 0b110) == -WON - 62 * DISC


def test_position_key_depends_on_every_disc_and_is_an_xor() -> None:
    own, other = position_after_line(MIDDLE_GAMES[2])
    base = zobrist_key(own, other)
    assert (
        len({base, zobrist_key(other, own), *(zobrist_key(own ^ one, other) for one in iterate_squares(own))})
        == 2 + own.bit_count()
    )
    numbers = [zobrist_key(one, 0) for one in iterate_squares(own)] + [
        zobrist_key(0, one) for one in iterate_squares(other)
    ]
    total = 0
    for number in numbers:
        total ^= number
    assert total == base


def test_table_stores_values_with_their_bounds() -> None:
    table = TranspositionTable(size=2)
    table.store(1, 3, 10, 0, 20, 4)
    table.store(2, 3, 20, 0, 20, 8)
    exact, lower = table.entries[1], table.entries[2]
    assert (exact.bound, lower.bound) == (Bound.EXACT, Bound.LOWER)
    assert settles_search(exact, -5, 5)
    assert settles_search(lower, 0, 20)
    assert not settles_search(lower, 0, 21)
    table.store(3, 3, 0, 0, 20, 8)  # the table is full, so it is cleared
    assert list(table.entries) == [3]
    assert table.entries[3].bound is Bound.UPPER
    assert settles_search(table.entries[3], 0, 9)
    assert not settles_search(table.entries[3], -1, 9)
