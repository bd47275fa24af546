"""Patterns: the packed sums agree with indices computed square by square, and symmetry does not change an estimate."""

from __future__ import annotations

import pytest

from bots.reversi.house.engine.evaluation import DISC, WON, final_value
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.patterns import PATTERNS, SHAPES, pattern_indices, weight_indices
from tests.bots.reversi.positions import MIDDLE_GAMES, START, position_after_line, random_position


def test_every_square_is_in_a_pattern_and_patterns_are_unique() -> None:
    assert {square for _, squares in PATTERNS for square in squares} == set(range(64))
    assert len({frozenset(squares) for _, squares in PATTERNS}) == len(PATTERNS)


@pytest.mark.parametrize("plies", [0, 11, 30, 47, 60])
def test_pattern_numbers_are_read_square_by_square(plies: int) -> None:
    own, other = random_position(plies, plies)
    spelled = tuple(
        sum(3**place * ((own >> at & 1) + 2 * (other >> at & 1)) for place, at in enumerate(squares))
        for _, squares in PATTERNS
    )
    assert pattern_indices(own, other) == spelled


def test_mirror_images_share_a_weight() -> None:
    row = weight_indices(SHAPES[2])  # eight squares in a row, from the left
    assert row[1] == row[3**7]
    assert row[2] != row[1]
    assert len(set(row)) == (3**8 + 3**4) // 2 == max(row) + 1


@pytest.mark.parametrize("plies", [8, 21, 34, 50])
def test_estimate_is_invariant_under_symmetry(plies: int) -> None:
    own, other = random_position(3, plies)
    images = [(own, other), (_flip_vertically(own), _flip_vertically(other))]
    images += [(_transpose(one), _transpose(two)) for one, two in images]
    assert len({learned_evaluation()(*image) for image in images}) == 1


def test_learned_estimate_separates_won_from_lost_positions() -> None:
    own, other = position_after_line(MIDDLE_GAMES[1])
    corners = 0x8100000000000081
    estimate = learned_evaluation()
    assert estimate(own | corners, other & ~corners) > estimate(own, other) + 5 * DISC
    assert estimate(own & ~corners, other | corners) < estimate(own, other) - 5 * DISC
    assert abs(estimate(*START)) < 10 * DISC


def test_final_position_is_scored_by_discs() -> None:
    estimate = learned_evaluation()
    assert estimate(0b11, 0) == WON + 64 * DISC
    full = (1 << 64) - 1
    assert estimate(0xFF, full ^ 0xFF) == final_value(0xFF, full ^ 0xFF) < -WON


def _flip_vertically(squares: int) -> int:
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def _transpose(squares: int) -> int:
    return sum(1 << 8 * (at % 8) + at // 8 for at in range(64) if squares >> at & 1)
