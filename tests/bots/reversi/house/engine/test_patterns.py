"""Patterns: the packed sums agree with reading square by square, and symmetry does not change an estimate."""

from __future__ import annotations

import pytest

from bots.reversi.house.engine.evaluation import DISC, WON, finished
from bots.reversi.house.engine.learned import learned
from bots.reversi.house.engine.patterns import PATTERNS, SHAPES, numbers, shared
from tests.bots.reversi.positions import MIDDLE_GAMES, START, played, wandered


def test_every_square_is_part_of_a_pattern_and_no_pattern_is_there_twice() -> None:
    assert {square for _, squares in PATTERNS for square in squares} == set(range(64))
    assert len({frozenset(squares) for _, squares in PATTERNS}) == len(PATTERNS)


@pytest.mark.parametrize("plies", [0, 11, 30, 47, 60])
def test_numbers_are_read_off_square_by_square(plies: int) -> None:
    own, other = wandered(plies, plies)
    spelled = tuple(
        sum(3**place * ((own >> at & 1) + 2 * (other >> at & 1)) for place, at in enumerate(squares))
        for _, squares in PATTERNS
    )
    assert numbers(own, other) == spelled


def test_mirror_images_share_a_weight() -> None:
    row = shared(SHAPES[2])  # eight squares in a row, from the left
    assert row[1] == row[3**7]
    assert row[2] != row[1]
    assert len(set(row)) == (3**8 + 3**4) // 2 == max(row) + 1


@pytest.mark.parametrize("plies", [8, 21, 34, 50])
def test_an_estimate_is_that_of_all_images_of_the_position(plies: int) -> None:
    own, other = wandered(3, plies)
    images = [(own, other), (_upside_down(own), _upside_down(other))]
    images += [(_transposed(one), _transposed(two)) for one, two in images]
    assert len({learned()(*image) for image in images}) == 1


def test_what_was_learned_tells_a_won_position_from_a_lost_one() -> None:
    own, other = played(MIDDLE_GAMES[1])
    corners = 0x8100000000000081
    estimate = learned()
    assert estimate(own | corners, other & ~corners) > estimate(own, other) + 5 * DISC
    assert estimate(own & ~corners, other | corners) < estimate(own, other) - 5 * DISC
    assert abs(estimate(*START)) < 10 * DISC


def test_a_game_that_is_over_is_counted() -> None:
    estimate = learned()
    assert estimate(0b11, 0) == WON + 64 * DISC
    full = (1 << 64) - 1
    assert estimate(0xFF, full ^ 0xFF) == finished(0xFF, full ^ 0xFF) < -WON


def _upside_down(squares: int) -> int:
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def _transposed(squares: int) -> int:
    return sum(1 << 8 * (at % 8) + at // 8 for at in range(64) if squares >> at & 1)
