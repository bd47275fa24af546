"""The engine's rules agree with the arena's own and with published move counts."""

from __future__ import annotations

import random

import pytest

from arena.games.reversi.rules import flipped_discs, legal_squares
from bots.reversi.house.engine.bitboard import (
    FULL,
    discs_flipped_by,
    iterate_squares,
    legal_moves,
    parse_square,
    position_after,
    position_from_board,
    square_name,
    with_neighbours,
)
from bots.reversi.sdk.board import Board
from tests.bots.reversi.positions import START


def random_discs(seed: int) -> tuple[int, int]:
    """Return a random position with many or few discs; it may be one that no match can reach."""
    chance = random.Random(seed)
    kept = chance.choice([FULL, chance.getrandbits(64) | chance.getrandbits(64), chance.getrandbits(64)])
    own = chance.getrandbits(64)
    return own & kept, chance.getrandbits(64) & ~own & kept


@pytest.mark.parametrize("seed", range(50))
def test_moves_and_flips_agree_with_the_rules(seed: int) -> None:
    for one in range(20):
        own, other = random_discs(100 * seed + one)
        assert legal_moves(own, other) == legal_squares(own, other)
        for move in iterate_squares(FULL & ~(own | other)):
            assert discs_flipped_by(own, other, move) == flipped_discs(own, other, move.bit_length() - 1)


def perft(own: int, other: int, depth: int) -> int:
    if depth == 0:
        return 1
    legal = legal_moves(own, other)
    if not legal:
        return perft(other, own, depth - 1) if legal_moves(other, own) else 1
    return sum(perft(*position_after(own, other, move), depth - 1) for move in iterate_squares(legal))


def test_perft_matches_published_counts() -> None:
    assert [perft(*START, depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1396, 8200]


def test_squares_are_named_as_in_the_course() -> None:
    assert [square_name(parse_square(text)) for text in ("A1", "H1", "D3", "H8")] == ["A1", "H1", "D3", "H8"]
    with pytest.raises(ValueError, match="tuple"):
        parse_square("I9")


def test_bots_board_is_read_from_its_own_side() -> None:
    board = Board()
    board._move("D3", "X")
    own, other = position_from_board(board, "O")
    assert {square_name(move) for move in iterate_squares(own)} == {"E5"}
    assert {square_name(move) for move in iterate_squares(other)} == {"D3", "D4", "E4", "D5"}
    assert position_from_board(board, "X") == (other, own)


def test_neighbors_do_not_wrap_around_the_edge() -> None:
    around = {square_name(one) for one in iterate_squares(with_neighbours(parse_square("H4")))}
    assert around == {"G3", "H3", "G4", "H4", "G5", "H5"}
    assert {square_name(one) for one in iterate_squares(with_neighbours(parse_square("A8")))} == {
        "A7",
        "B7",
        "A8",
        "B8",
    }
