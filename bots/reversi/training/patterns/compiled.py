"""The engine's rules, evaluation and search, compiled by numba because learning examines a million positions.

Invariants: the values equal those of ``bots.reversi.house.engine`` (a test compares them); every set of squares is a
numpy.uint64, because numba would otherwise compute with floats. A position is represented from the point of view of the
side to move. Values are hundredths of a disc, so a finished game is worth 100 times the exact lead.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from bots.reversi.house.engine.patterns import PATTERNS, SHAPES, STAGE_DISCS, weight_indices
from bots.reversi.house.engine.squares import SQUARE_VALUES

_U = np.uint64
_FULL: Final = _U(0xFFFFFFFFFFFFFFFF)
_ONE: Final = _U(1)
_ZERO: Final = _U(0)
_NOT_A: Final = _U(0xFEFEFEFEFEFEFEFE)
_NOT_H: Final = _U(0x7F7F7F7F7F7F7F7F)
_BYTE: Final = _U(255)
# The eight directions: shift distances, then the valid target squares of shifts up and of shifts down.
_SHIFTS: Final = np.array([1, 7, 8, 9], dtype=np.uint64)
_UP_MASKS: Final = np.array([_NOT_A, _NOT_H, _FULL, _NOT_A], dtype=np.uint64)
_DOWN_MASKS: Final = np.array([_NOT_H, _NOT_A, _FULL, _NOT_H], dtype=np.uint64)
INFINITE: Final = 1_000_000
MAX_MOVES: Final = 34

COUNT: Final = len(PATTERNS)


def _lookup_tables() -> tuple[Any, Any, Any, Any]:
    """Return the lookup tables.

    They contain the contribution of each set of discs on a row to the pattern indices, the offset of each pattern, the
    index of the weight for each pattern index, and the value of each square.
    """
    rows = np.zeros((8, 256, COUNT), dtype=np.int32)
    for pattern, (_, squares) in enumerate(PATTERNS):
        for place, at in enumerate(squares):
            with_disc = (np.arange(256) >> (at & 7) & 1).astype(np.int32)
            rows[at >> 3, :, pattern] += 3**place * with_disc
    begins: list[int] = []
    weight_of: list[Any] = []
    first = 0
    for shape in SHAPES:
        places = np.array(weight_indices(shape), dtype=np.int32)
        begins.append(sum(len(one) for one in weight_of))
        weight_of.append(places + first)
        first += int(places.max()) + 1
    starts = np.array([begins[shape] for shape, _ in PATTERNS], dtype=np.int32)
    values = np.array([SQUARE_VALUES[1 << at] for at in range(64)], dtype=np.int32)
    return rows, starts, np.concatenate(weight_of), values


ROWS, STARTS, WEIGHT_OF, _VALUES = _lookup_tables()
WEIGHTS: Final = int(WEIGHT_OF.max()) + 1  # per stage


@njit(cache=True, inline="always")
def count_bits(squares):
    squares = squares - ((squares >> _ONE) & _U(0x5555555555555555))
    squares = (squares & _U(0x3333333333333333)) + ((squares >> _U(2)) & _U(0x3333333333333333))
    squares = (squares + (squares >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return np.int64((squares * _U(0x0101010101010101)) >> _U(56))


@njit(cache=True)
def legal_moves(own, other):
    """Return the same moves as ``bitboard.legal_moves``; chains of discs are found by parallel-prefix shifts."""
    found = _ZERO
    for way in range(4):
        shift, twice = _SHIFTS[way], _SHIFTS[way] * _U(2)
        inside = other & _UP_MASKS[way] & _DOWN_MASKS[way]
        up = inside & (own << shift)
        down = inside & (own >> shift)
        up |= inside & (up << shift)
        down |= inside & (down >> shift)
        pairs_up = inside & (inside << shift)
        pairs_down = inside & (inside >> shift)
        up |= pairs_up & (up << twice)
        down |= pairs_down & (down >> twice)
        up |= pairs_up & (up << twice)
        down |= pairs_down & (down >> twice)
        found |= (up << shift) | (down >> shift)
    return found & ~(own | other)


@njit(cache=True)
def discs_flipped_by(own, other, move):
    turned = _ZERO
    for way in range(4):
        shift, up, down = _SHIFTS[way], _UP_MASKS[way], _DOWN_MASKS[way]
        line = _ZERO
        at = (move << shift) & up
        while at & other:
            line |= at
            at = (at << shift) & up
        if at & own:
            turned |= line
        line = _ZERO
        at = (move >> shift) & down
        while at & other:
            line |= at
            at = (at >> shift) & down
        if at & own:
            turned |= line
    return turned


@njit(cache=True, inline="always")
def final_lead(own, other):
    mine, theirs = count_bits(own), count_bits(other)
    if mine > theirs:
        return 64 - 2 * theirs
    return 2 * mine - 64 if mine < theirs else 0


@njit(cache=True)
def fill_pattern_indices(own, other, found):
    """Fill ``found`` with the index of each pattern."""
    found[:] = 0
    for row in range(8):
        shift = _U(8 * row)
        mine = ROWS[row, np.int64((own >> shift) & _BYTE)]
        theirs = ROWS[row, np.int64((other >> shift) & _BYTE)]
        for pattern in range(COUNT):
            found[pattern] += mine[pattern] + 2 * theirs[pattern]


@njit(cache=True)
def estimate(own, other, weights, found):
    """Estimate a position.

    ``weights``: one row per stage, with a weight for every pattern index; ``found``: a buffer for ``COUNT`` indices.
    """
    fill_pattern_indices(own, other, found)
    row = weights[count_bits(own | other) // STAGE_DISCS]
    worth = 0
    for pattern in range(COUNT):
        worth += row[STARTS[pattern] + found[pattern]]
    return worth


@njit("int64(uint64, uint64, int64, int64, int64, int16[:, ::1], int32[::1])", cache=True)
def search_value(own, other, depth, low, high, weights, found):
    """Search with alpha-beta pruning; the value is exact if it lies between ``low`` and ``high``.

    The value is that of perfect play if ``depth`` reaches the end of the game.
    """
    legal = legal_moves(own, other)
    if legal == _ZERO:
        if legal_moves(other, own) == _ZERO:
            return 100 * final_lead(own, other)
        return -search_value(other, own, depth, -high, -low, weights, found)
    if depth <= 0:
        return estimate(own, other, weights, found)
    children = np.empty((MAX_MOVES, 2), dtype=np.uint64)
    promise = np.empty(MAX_MOVES, dtype=np.int64)
    count = 0
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = discs_flipped_by(own, other, move)
        theirs, ours = other ^ turned, own | turned | move
        rank = 0
        if depth > 1:
            rank = _VALUES[count_bits(move - _ONE)] - 8 * count_bits(legal_moves(theirs, ours))
        at = count
        while at > 0 and promise[at - 1] < rank:
            promise[at] = promise[at - 1]
            children[at, 0], children[at, 1] = children[at - 1, 0], children[at - 1, 1]
            at -= 1
        promise[at] = rank
        children[at, 0], children[at, 1] = theirs, ours
        count += 1
    best = -INFINITE
    for at in range(count):
        found_value = -search_value(children[at, 0], children[at, 1], depth - 1, -high, -max(low, best), weights, found)
        if found_value > best:
            best = found_value
            if best >= high:
                break
    return best
