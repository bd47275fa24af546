"""Random playouts and perft compiled by numba, the floor for pure Python.

Imported only with the extra ``training``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bots.reversi.training.patterns.compiled import bits, flips, lead, moves

_U = np.uint64
_ONE, _ZERO = _U(1), _U(0)


@njit(cache=True)
def random_games(own, other, count, seed):
    """Play random games; return the sum of the final leads, so that the compiler cannot optimize them away."""
    np.random.seed(seed)
    total = 0
    for _ in range(count):
        mine, theirs, side = own, other, 1
        while True:
            legal = moves(mine, theirs)
            if legal == _ZERO:
                if moves(theirs, mine) == _ZERO:
                    break
                mine, theirs, side = theirs, mine, -side
                continue
            for _ in range(np.random.randint(0, bits(legal))):
                legal &= legal - _ONE
            move = legal & (~legal + _ONE)
            turned = flips(mine, theirs, move)
            mine, theirs, side = theirs ^ turned, mine | turned | move, -side
        total += side * lead(mine, theirs)
    return total


@njit("int64(uint64, uint64, int64)", cache=True)
def lines(own, other, depth):
    """See ``chance.lines``."""
    legal = moves(own, other)
    if legal == _ZERO:
        return lines(other, own, depth - 1) if depth > 1 and moves(other, own) else 1
    if depth == 1:
        return bits(legal)
    count = 0
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = flips(own, other, move)
        count += lines(other ^ turned, own | turned | move, depth - 1)
    return count
