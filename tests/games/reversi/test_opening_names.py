"""Names of openings under every symmetry of the board."""

from __future__ import annotations

import pytest

from arena.games.reversi.lines import Line
from arena.games.reversi.notation import read_moves
from arena.games.reversi.opening_names import OPENINGS, Named, opening_of

COLUMNS = "ABCDEFGH"


def mirrored(moves: str) -> str:
    """Return the moves mirrored in the diagonal from A1 to H8."""
    pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    return "".join(f"{COLUMNS[int(row) - 1]}{COLUMNS.index(column) + 1}" for column, row in pairs)


def turned(moves: str) -> str:
    """Return the moves with the board rotated by 180 degrees."""
    pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    return "".join(f"{COLUMNS[7 - COLUMNS.index(column)]}{9 - int(row)}" for column, row in pairs)


@pytest.mark.parametrize(("name", "moves"), OPENINGS, ids=lambda one: one)
def test_every_opening_is_legal_and_recognized_in_all_directions(name: str, moves: str) -> None:
    expected = Named(name, len(moves) // 2)
    for seen in (moves, mirrored(moves), turned(moves), turned(mirrored(moves))):
        assert opening_of(read_moves(seen)) == expected


def test_names_are_given_once() -> None:
    assert len({name for name, _ in OPENINGS}) == len({moves for _, moves in OPENINGS}) == len(OPENINGS)


def test_the_longest_known_opening_counts_and_the_game_goes_on() -> None:
    assert opening_of(read_moves("F5D6C3D3C4")) == Named("Tiger", 5)
    assert opening_of(read_moves("F5D6C3D3C4F4")) == Named("Tiger", 5)
    assert opening_of(read_moves("F5F6")) == Named("Diagonal", 2)
    assert opening_of(read_moves("F5")) is None


def test_the_order_of_moves_does_not_matter() -> None:
    assert opening_of(read_moves("C4C5D6C3D3")) == opening_of(read_moves("C4C3D3C5D6")) == Named("Cow", 5)


def test_a_game_that_began_elsewhere_has_none() -> None:
    line = read_moves("F5D6")
    states = line.states()
    black, white = states[-1].discs
    board = "".join("X" if black >> at & 1 else "O" if white >> at & 1 else "." for at in range(64))
    assert opening_of(Line(board, "X")) is None
