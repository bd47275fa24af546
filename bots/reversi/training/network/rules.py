"""The rules of Reversi on arrays, for thousands of games in one compiled step.

A set of squares is two arrays of unsigned 32-bit integers, for squares A1 to H4 and A5 to H8; bits are numbered ``8 *
row + column``, as in ``arena.games.reversi.rules``. The functions accept any leading axes, including none for a single
game. An action is the index of a square; a side that cannot move passes automatically.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

ACTIONS: Final = 64
INPUTS: Final = 4 * ACTIONS

_INNER: Final = 0x7E7E7E7E
_SHIFTS: Final = np.array((1, 7, 9, 8), np.uint32)  # along the four lines through a square
# for each line, where discs can be flipped: not in columns A and H, or anywhere
_PASSABLE: Final = np.array((_INNER, _INNER, _INNER, 0xFFFFFFFF), np.uint32)
_MAX_FLANKED_DISCS: Final = 6  # discs between the first and the last square of a row, column or diagonal


class Squares(NamedTuple):
    """A set of squares."""

    low: Array
    high: Array

    def __and__(self, other: Squares) -> Squares:
        return Squares(self.low & other.low, self.high & other.high)

    def __or__(self, other: Squares) -> Squares:
        return Squares(self.low | other.low, self.high | other.high)

    def __xor__(self, other: Squares) -> Squares:
        return Squares(self.low ^ other.low, self.high ^ other.high)

    def __invert__(self) -> Squares:
        return Squares(~self.low, ~self.high)

    def up(self) -> Squares:
        """Shift the squares one step towards larger indices along each of the four lines, which form the last axis."""
        return Squares(self.low << _SHIFTS, self.high << _SHIFTS | self.low >> (32 - _SHIFTS))

    def down(self) -> Squares:
        """Shift the squares one step towards smaller indices along each of the four lines."""
        return Squares(self.low >> _SHIFTS | self.high << (32 - _SHIFTS), self.high >> _SHIFTS)

    def lines(self) -> Squares:
        """Repeat the squares on a new last axis, once for each of the four lines through a square."""
        return Squares(*(jnp.broadcast_to(half[..., None], (*half.shape, len(_SHIFTS))) for half in self))

    def union(self) -> Squares:
        """Return the union of the four sets of squares along the last axis, one per line."""
        return Squares(*(reduce(or_, (half[..., line] for line in range(len(_SHIFTS)))) for half in self))

    def any(self) -> Array:
        return (self.low | self.high) != 0

    def size(self) -> Array:
        ones = jax.lax.population_count(self.low) + jax.lax.population_count(self.high)
        return ones.astype(jnp.int32)

    def bits(self) -> Array:
        """Return one boolean per square, on a last axis of length 64."""
        places = jnp.arange(32, dtype=jnp.uint32)
        halves = [(half[..., None] >> places) & 1 for half in self]
        return jnp.concatenate(halves, axis=-1).astype(bool)

    def where(self, condition: Array) -> Squares:
        """Return these squares where the condition holds, otherwise none."""
        return Squares(*(jnp.where(condition, half, jnp.uint32(0)) for half in self))


class Position(NamedTuple):
    """A batch of positions from the point of view of the side to move.

    ``moves``: legal squares of the side to move; ``replies``: legal squares of the other side if it were to move.
    ``black``: whether the side to move is black. ``over``: whether neither side can move.
    """

    own: Squares
    other: Squares
    moves: Squares
    replies: Squares
    black: Array
    over: Array


def one_square(index: Array) -> Squares:
    """Return the set that contains only the square with this index."""
    index = index.astype(jnp.uint32)
    placed = jnp.uint32(1) << (index & 31)
    return Squares(*(jnp.where(chosen, placed, jnp.uint32(0)) for chosen in (index < 32, index >= 32)))


def _adjacent_chains(begins: Squares, other: Squares) -> tuple[Squares, Squares]:
    """Return the other side's contiguous discs next to these squares.

    The first set extends in the ascending direction of each of the four lines, the second in the descending one.
    """
    bridge = Squares(*(half & _PASSABLE for half in other.lines()))
    up, down = bridge & begins.up(), bridge & begins.down()
    for _ in range(_MAX_FLANKED_DISCS - 1):
        up |= bridge & up.up()
        down |= bridge & down.down()
    return up, down


def legal_squares(own: Squares, other: Squares) -> Squares:
    """Return the legal squares of the side with the discs ``own``."""
    up, down = _adjacent_chains(own.lines(), other)
    return (up.up() | down.down()).union() & ~(own | other)


def flipped_discs(own: Squares, other: Squares, placed: Squares) -> Squares:
    """Return the discs flipped when ``own`` plays on this empty square; none if the move is illegal."""
    up, down = _adjacent_chains(placed.lines(), other)
    mine = own.lines()
    return (up.where((up.up() & mine).any()) | down.where((down.down() & mine).any())).union()


def position_to_move(own: Squares, other: Squares, black: Array) -> Position:
    """Return the position with these discs; ``own`` is to move if it can, otherwise ``other``."""
    moves, replies = legal_squares(own, other), legal_squares(other, own)
    passes = ~moves.any() & replies.any()
    over = ~moves.any() & ~replies.any()
    passed = Position(other, own, replies, moves, ~black, over)
    found: Position = select(passes, passed, Position(own, other, moves, replies, black, over))
    return found


def position_after(position: Position, action: Array) -> Position:
    """Return the position after a legal move."""
    placed = one_square(action)
    flipped = flipped_discs(position.own, position.other, placed)
    return position_to_move(position.other ^ flipped, position.own | flipped | placed, ~position.black)


def select(condition: Array, yes: Any, no: Any) -> Any:
    """Select ``yes`` for each position where the condition holds, otherwise ``no``."""
    return jax.tree.map(lambda one, other: jnp.where(condition, one, other), yes, no)


def lead(position: Position) -> Array:
    """Return by how many discs the side to move leads; empty squares count for the winner."""
    own, other = position.own.size(), position.other.size()
    return own - other + jnp.sign(own - other) * (64 - own - other)


def result(position: Position) -> Array:
    """Return the result of a finished game for the side to move: 1 for a win, 0 for a draw, -1 for a loss."""
    return jnp.sign(position.own.size() - position.other.size()).astype(jnp.float32)


def observe(position: Position) -> Array:
    """Return the network's input: the discs of the side to move and of the other side, then the moves of each."""
    seen = (position.own, position.other, position.moves, position.replies)
    return jnp.concatenate([squares.bits() for squares in seen], axis=-1).astype(jnp.float32)
