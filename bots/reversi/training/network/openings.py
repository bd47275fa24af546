"""Random openings, which diversify the self-play games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from bots.reversi.house.engine.bitboard import iterate_squares, legal_moves, position_after
from bots.reversi.training.network.rules import Position, Squares, position_to_move

COUNT: Final = 8192
MAX_PLIES: Final = 24  # enough to learn about positions that the network would avoid
_START: Final = (0x0000000810000000, 0x0000001008000000)
_HALF: Final = (1 << 32) - 1

Words = NDArray[np.uint32]
Flags = NDArray[np.bool_]


def random_opening(chance: random.Random) -> tuple[int, int, bool]:
    """Return a random position after 0 to MAX_PLIES random moves.

    The result is the discs of the side to move, the discs of the other side, and whether the side to move is black. An
    opening without a legal move is redrawn.
    """
    plies = chance.randint(0, MAX_PLIES)
    (own, other), black = _START, True
    for _ in range(plies):
        own, other = position_after(own, other, chance.choice(list(iterate_squares(legal_moves(own, other)))))
        black = not black
        if not legal_moves(own, other):
            if not legal_moves(other, own):
                return random_opening(chance)
            own, other, black = other, own, not black
    return own, other, black


@cache
def _opening_table() -> tuple[Words, Words, Flags]:
    """Return the low and high words of all openings' bitboards, and whether black is to move.

    The words of the player to move come first.
    """
    chance = random.Random(1)  # noqa: S311 - a game
    own, other, black = zip(*(random_opening(chance) for _ in range(COUNT)), strict=True)
    return _split_words(own), _split_words(other), np.array(black)


def _split_words(sets: Sequence[int]) -> Words:
    return np.array([[squares & _HALF, squares >> 32] for squares in sets], np.uint32).T


def random_start(key: Array) -> Position:
    """Choose one of the openings at random."""
    own, other, black = _opening_table()
    index = jax.random.randint(key, (), 0, COUNT)
    return position_to_move(_squares_of(own, index), _squares_of(other, index), jnp.asarray(black)[index])


def _squares_of(words: Words, index: Array) -> Squares:
    return Squares(jnp.asarray(words[0])[index], jnp.asarray(words[1])[index])
