"""Random playouts and perft compiled by numba, the baseline for the pure Python versions.

Imported only if the ``training`` extra is installed.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bots.reversi.training.patterns.compiled import count_bits, discs_flipped_by, final_lead, legal_moves

_U = np.uint64
_ONE, _ZERO = _U(1), _U(0)


@njit(cache=True)
def play_random_matches(own, other, count, seed):
    """Play random matches; return the sum of the final leads, so that the compiler cannot optimize them away."""
    np.random.seed(seed)
    total = 0
    for _ in range(count):
        mine, theirs, side = own, other, 1
        while True:
            legal = legal_moves(mine, theirs)
            if legal == _ZERO:
                if legal_moves(theirs, mine) == _ZERO:
                    break
                mine, theirs, side = theirs, mine, -side
                continue
            for _ in range(np.random.randint(0, count_bits(legal))):
                legal &= legal - _ONE
            move = legal & (~legal + _ONE)
            turned = discs_flipped_by(mine, theirs, move)
            mine, theirs, side = theirs ^ turned, mine | turned | move, -side
        total += side * final_lead(mine, theirs)
    return total


@njit("int64(uint64, uint64, int64)", cache=True)
def perft(own, other, depth):
    """Count leaf nodes in the same way as ``playouts.perft``."""
    legal = legal_moves(own, other)
    if legal == _ZERO:
        return perft(other, own, depth - 1) if depth > 1 and legal_moves(other, own) else 1
    if depth == 1:
        return count_bits(legal)
    count = 0
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = discs_flipped_by(own, other, move)
        count += perft(other ^ turned, own | turned | move, depth - 1)
    return count
