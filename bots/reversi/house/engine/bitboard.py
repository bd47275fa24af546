"""A Reversi position as two integers: the discs of the side to move and the discs of the other side.

Invariants: bit ``8 * row + column`` is a square, A1 is bit 0, H8 is bit 63; no other bits are set, and no square has
two discs. A move is an integer in which only the bit of its square is set. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

FULL: Final = (1 << 64) - 1
CORNERS: Final = 0x8100000000000081
_INNER: Final = 0x7E7E7E7E7E7E7E7E  # without the columns A and H: a line across them would wrap around
_NOT_A: Final = 0xFEFEFEFEFEFEFEFE
_NOT_H: Final = 0x7F7F7F7F7F7F7F7F
_NAMES: Final = tuple(f"{column}{row}" for row in "12345678" for column in "ABCDEFGH")
# Steps that lead to higher bits: right, down, down left, down right. The other directions are the same steps backwards.
_STEPS: Final = ((0, 1), (1, 0), (1, -1), (1, 1))

Ray = tuple[int, int]  # in one direction: the next square, and all squares up to the edge


def _rays(square: int, sign: int) -> tuple[Ray, ...]:
    """Return the rays from a square along which discs can be flipped: those with at least two squares."""
    found = []
    for down, right in _STEPS:
        row, column = divmod(square, 8)
        line = []
        while 0 <= (row := row + sign * down) < 8 and 0 <= (column := column + sign * right) < 8:
            line.append(1 << 8 * row + column)
        if len(line) > 1:
            found.append((line[0], sum(line)))
    return tuple(found)


_UP: Final = {1 << square: _rays(square, 1) for square in range(64)}
_DOWN: Final = {1 << square: _rays(square, -1) for square in range(64)}


def legal_moves(own: int, other: int) -> int:
    """Return the legal moves of the side to move, as a set of squares.

    Chains of the other side's discs that begin next to a disc of the side to move are extended by one square and then
    twice by two squares (parallel prefix, https://www.chessprogramming.org/Kogge-Stone_Algorithm), because a chain has
    at most six discs.
    """
    # Along a row an addition is enough: its carry runs through the chain and reaches the square behind it.
    inner = other & _INNER
    found = inner + (inner & own << 1) & ~inner
    chain = inner & own >> 1
    chain |= inner & chain >> 1
    pairs = inner & inner >> 1
    chain |= pairs & chain >> 2
    chain |= pairs & chain >> 2
    found |= chain >> 1
    # Columns and diagonals, in both directions at once
    for step, two, chained in ((8, 16, other), (7, 14, inner), (9, 18, inner)):
        up = chained & own << step
        down = chained & own >> step
        up |= chained & up << step
        down |= chained & down >> step
        pairs = chained & chained << step
        up |= pairs & up << two
        up |= pairs & up << two
        pairs >>= step
        down |= pairs & down >> two
        down |= pairs & down >> two
        found |= up << step | down >> step
    return found & ~(own | other) & FULL


def discs_flipped_by(own: int, other: int, move: int) -> int:
    """Return the discs that are flipped when the side to move plays on this empty square; 0 if the move is illegal.

    The chain ends at the first square of a ray that has no disc of the other side; if that square has a disc of the
    side to move, the chain is flipped.
    """
    turned = 0
    for beside, ray in _UP[move]:
        if other & beside:
            end = ray & ~other
            end &= -end
            if end & own:
                turned |= ray & end - 1
    for beside, ray in _DOWN[move]:
        if other & beside:
            end = ray & ~other
            if end and own >> (last := end.bit_length() - 1) & 1:
                turned |= ray >> last + 1 << last + 1
    return turned


def position_after(own: int, other: int, move: int) -> tuple[int, int]:
    """Return the position after a legal move, from the other side's point of view."""
    turned = discs_flipped_by(own, other, move)
    return other ^ turned, own | turned | move


def with_neighbours(squares: int) -> int:
    """Return these squares and all adjacent ones."""
    wide = squares | squares << 1 & _NOT_A | squares >> 1 & _NOT_H
    return (wide | wide << 8 | wide >> 8) & FULL


def iterate_squares(squares: int) -> Iterator[int]:
    """Yield the squares of a set, in order from A1 to H8."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def square_name(move: int) -> str:
    """Return the name of a square, such as "D3"."""
    return _NAMES[move.bit_length() - 1]


def parse_square(text: str) -> int:
    """Parse the name of a square in capital letters. Raises ValueError if there is no such square."""
    return 1 << _NAMES.index(text)


def position_from_board(board: Any, color: str) -> tuple[int, int]:
    """Return the position on a bot's board from the point of view of this colour, "X" or "O"."""
    cells = "".join(square for row in board._board for square in row)
    black = sum(1 << index for index, cell in enumerate(cells) if cell == "X")
    white = sum(1 << index for index, cell in enumerate(cells) if cell == "O")
    return (black, white) if color == "X" else (white, black)
