"""Openings are recognized under every symmetry of the board and in any order of moves; the longest is named."""

from __future__ import annotations

import pytest

from arena.games.reversi.lines import Line
from arena.games.reversi.notation import read_moves
from arena.games.reversi.opening_names import OPENINGS, NamedOpening, find_opening

COLUMNS = "ABCDEFGH"


def mirror_moves(moves: str) -> str:
    """Return the moves mirrored across the diagonal from A1 to H8."""
    pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    return "".join(f"{COLUMNS[int(row) - 1]}{COLUMNS.index(column) + 1}" for column, row in pairs)


def rotate_moves(moves: str) -> str:
    """Return the moves with the board rotated by 180 degrees."""
    pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    return "".join(f"{COLUMNS[7 - COLUMNS.index(column)]}{9 - int(row)}" for column, row in pairs)


@pytest.mark.parametrize(("name", "moves"), OPENINGS, ids=lambda one: one)
def test_every_opening_is_legal_and_recognized_under_all_symmetries(name: str, moves: str) -> None:
    expected = NamedOpening(name, len(moves) // 2)
    for seen in (moves, mirror_moves(moves), rotate_moves(moves), rotate_moves(mirror_moves(moves))):
        assert find_opening(read_moves(seen)) == expected


def test_opening_names_and_move_sequences_are_unique() -> None:
    assert len({name for name, _ in OPENINGS}) == len({moves for _, moves in OPENINGS}) == len(OPENINGS)


def test_longest_matching_opening_is_named() -> None:
    assert find_opening(read_moves("F5D6C3D3C4")) == NamedOpening("Tiger", 5)
    assert find_opening(read_moves("F5D6C3D3C4F4")) == NamedOpening("Tiger", 5)
    assert find_opening(read_moves("F5F6")) == NamedOpening("Diagonal", 2)
    assert find_opening(read_moves("F5")) is None


def test_transposed_moves_give_the_same_opening() -> None:
    assert find_opening(read_moves("C4C5D6C3D3")) == find_opening(read_moves("C4C3D3C5D6")) == NamedOpening("Cow", 5)


def test_game_from_a_custom_position_has_no_opening() -> None:
    line = read_moves("F5D6")
    states = line.states()
    black, white = states[-1].discs
    board = "".join("X" if black >> at & 1 else "O" if white >> at & 1 else "." for at in range(64))
    assert find_opening(Line(board, "X")) is None
