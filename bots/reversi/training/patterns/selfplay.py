"""The engine's self-play games, and labels for their positions.

Invariants: the same seed gives the same games. Labels are hundredths of a disc for the side to move; the labels of the
last positions are exact.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from bots.reversi.training.patterns.compiled import (
    COUNT,
    INFINITE,
    count_bits,
    discs_flipped_by,
    final_lead,
    legal_moves,
    search_value,
)

_U = np.uint64
_ONE = _U(1)
_ZERO = _U(0)
_BLACK = _U(1 << 28 | 1 << 35)  # E4 and D5
_WHITE = _U(1 << 27 | 1 << 36)
_LAST_SOLVED = 3  # minimum number of empty squares: positions with fewer are not informative
_MIN_RANDOM_MOVES, _MAX_RANDOM_MOVES = 6, 21  # number of random moves at the start of a game
MAX_POSITIONS = 64


@njit(cache=True)
def _random_move(legal):
    """Return a random move."""
    for _ in range(np.random.randint(0, count_bits(legal))):
        legal &= legal - _ONE
    return legal & (~legal + _ONE)


@njit(cache=True)
def _best_move(own, other, legal, depth, weights, found):
    """Return the value of the best move, and that move."""
    best, chosen = -INFINITE, _ZERO
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = discs_flipped_by(own, other, move)
        worth = -search_value(other ^ turned, own | turned | move, depth - 1, -INFINITE, -best, weights, found)
        if worth > best:
            best, chosen = worth, move
    return best, chosen


@njit(cache=True)
def _choose_move(own, other, legal, depth, strays, weights, found):
    """Return the position's search value, a move, and whether this move differs from the best one.

    The move is random with probability ``strays``, otherwise the best one.
    """
    worth, best = _best_move(own, other, legal, depth, weights, found)
    if np.random.random() < strays:
        drawn = _random_move(legal)
        return worth, drawn, drawn != best
    return worth, best, False


@njit(cache=True)
def _pass_if_blocked(own, other, side):
    """Return the discs of the side to move, those of the other side, which side is to move, and its legal moves.

    There are no legal moves if the game is over.
    """
    legal = legal_moves(own, other)
    if legal == _ZERO:
        legal = legal_moves(other, own)
        if legal != _ZERO:
            return other, own, -side, legal
    return own, other, side, legal


@njit(cache=True)
def _compute_labels(labels, signs, strayed, trust, result):
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
def _play_game(positions, labels, depth, exact, strays, trust, weights, found):
    """Play one game; return the number of recorded positions.

    The game starts with random moves; later moves are random with probability ``strays``. Once at most ``exact``
    squares are empty, each position is solved, and the game continues with random moves.
    """
    own, other = _BLACK, _WHITE
    wander = np.random.randint(_MIN_RANDOM_MOVES, _MAX_RANDOM_MOVES + 1)
    signs = np.empty(MAX_POSITIONS, dtype=np.int8)  # the side from whose point of view a position is recorded
    strayed = np.zeros(MAX_POSITIONS, dtype=np.bool_)
    count, side, middle = 0, 1, 0
    result = 0.0  # for the side whose sign is 1
    while True:
        own, other, side, legal = _pass_if_blocked(own, other, side)
        if legal == _ZERO:
            if middle == count:
                result = 100.0 * final_lead(own, other) * side
            break
        empties = 64 - count_bits(own | other)
        if 60 - empties < wander:
            move = _random_move(legal)
        elif empties > exact:
            positions[count, 0], positions[count, 1] = own, other
            labels[count], move, strayed[count] = _choose_move(own, other, legal, depth, strays, weights, found)
            signs[count] = side
            count += 1
            middle = count
        elif empties >= _LAST_SOLVED:
            positions[count, 0], positions[count, 1] = own, other
            labels[count] = search_value(own, other, 64, -6400, 6400, weights, found)
            if middle == count:
                result = labels[count] * side
            count += 1
            move = _random_move(legal)
        else:
            break
        turned = discs_flipped_by(own, other, move)
        own, other, side = other ^ turned, own | turned | move, -side
    _compute_labels(labels[:middle], signs, strayed, trust, result)
    return count


@njit(cache=True)
def play_games(seed, wanted, depth, exact, strays, trust, weights):
    """Play ``wanted`` games; return their positions (uint64, own and other discs) and labels (float32)."""
    np.random.seed(seed)
    positions = np.empty((wanted * MAX_POSITIONS, 2), dtype=np.uint64)
    labels = np.empty(wanted * MAX_POSITIONS, dtype=np.float32)
    found = np.empty(COUNT, dtype=np.int32)
    count = 0
    for _ in range(wanted):
        count += _play_game(positions[count:], labels[count:], depth, exact, strays, trust, weights, found)
    return positions[:count].copy(), labels[:count].copy()
