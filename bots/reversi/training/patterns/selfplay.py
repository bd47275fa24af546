"""The engine's self-play games, and labels for their positions.

Invariants: the same seed gives the same games. Labels are hundredths of a disc for the side to move; the labels of the
last positions are exact.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bots.reversi.training.patterns.compiled import COUNT, INFINITE, bits, flips, lead, moves, value

_U = np.uint64
_ONE = _U(1)
_ZERO = _U(0)
_BLACK = _U(1 << 28 | 1 << 35)  # E4 and D5
_WHITE = _U(1 << 27 | 1 << 36)
_LAST_SOLVED = 3  # minimum number of empty squares: positions with fewer are not informative
_MIN_RANDOM_MOVES, _MAX_RANDOM_MOVES = 6, 21  # number of random moves at the start of a game
MAX_POSITIONS = 64


@njit(cache=True)
def _drawn(legal):
    """Return a random move."""
    for _ in range(np.random.randint(0, bits(legal))):
        legal &= legal - _ONE
    return legal & (~legal + _ONE)


@njit(cache=True)
def _chosen(own, other, legal, depth, weights, found):
    """Return the value of the best move, and that move."""
    best, chosen = -INFINITE, _ZERO
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = flips(own, other, move)
        worth = -value(other ^ turned, own | turned | move, depth - 1, -INFINITE, -best, weights, found)
        if worth > best:
            best, chosen = worth, move
    return best, chosen


@njit(cache=True)
def _look_back(labels, signs, strayed, trust, result):
    """Compute labels from search values, backwards from the result.

    A label is the next position's search value, moved towards that position's label by ``trust`` (the lambda-return of
    temporal difference learning; if ``trust`` is 1, the label is the result alone). For a position before a random
    move, the label is its own search value, because the game did not continue with the best move.
    """
    coming = result
    for at in range(len(labels) - 1, -1, -1):
        worth = float(labels[at] * signs[at])
        came = worth if strayed[at] and trust < 1 else coming
        labels[at] = came * signs[at]
        coming = trust * came + (1 - trust) * worth


@njit(cache=True)
def _game(positions, labels, depth, exact, strays, trust, weights, found):
    """Play one game; return the number of recorded positions.

    The game starts with random moves; some later moves are random too. Once at most ``exact`` squares are empty, each
    position is solved, and the game continues with random moves.
    """
    own, other = _BLACK, _WHITE
    wander = np.random.randint(_MIN_RANDOM_MOVES, _MAX_RANDOM_MOVES + 1)
    signs = np.empty(MAX_POSITIONS, dtype=np.int8)  # the side from whose point of view a position is recorded
    strayed = np.zeros(MAX_POSITIONS, dtype=np.bool_)
    count, side, middle = 0, 1, 0
    result = 0.0  # for the side whose sign is 1
    while True:
        legal = moves(own, other)
        if legal == _ZERO:
            if moves(other, own) == _ZERO:
                if middle == count:
                    result = 100.0 * lead(own, other) * side
                break
            own, other, side = other, own, -side
            continue
        empties = 64 - bits(own | other)
        if 60 - empties < wander:
            move = _drawn(legal)
        elif empties > exact:
            worth, move = _chosen(own, other, legal, depth, weights, found)
            positions[count, 0], positions[count, 1] = own, other
            labels[count], signs[count] = worth, side
            if np.random.random() < strays:
                drawn = _drawn(legal)
                strayed[count] = drawn != move
                move = drawn
            count += 1
            middle = count
        elif empties >= _LAST_SOLVED:
            positions[count, 0], positions[count, 1] = own, other
            labels[count] = value(own, other, 64, -6400, 6400, weights, found)
            if middle == count:
                result = labels[count] * side
            count += 1
            move = _drawn(legal)
        else:
            break
        turned = flips(own, other, move)
        own, other, side = other ^ turned, own | turned | move, -side
    _look_back(labels[:middle], signs, strayed, trust, result)
    return count


@njit(cache=True)
def games(seed, wanted, depth, exact, strays, trust, weights):
    """Play ``wanted`` games; return their positions (uint64, own and other discs) and labels (float32)."""
    np.random.seed(seed)
    positions = np.empty((wanted * MAX_POSITIONS, 2), dtype=np.uint64)
    labels = np.empty(wanted * MAX_POSITIONS, dtype=np.float32)
    found = np.empty(COUNT, dtype=np.int32)
    count = 0
    for _ in range(wanted):
        count += _game(positions[count:], labels[count:], depth, exact, strays, trust, weights, found)
    return positions[:count].copy(), labels[:count].copy()
