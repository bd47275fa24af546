"""A version of ``playing`` that is compiled by numba, because an evolutionary run plays a hundred thousand games.

Invariant: the estimates equal those of ``engine.evaluation`` (a test compares them).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from bots.reversi.house.engine import evaluation as engine
from bots.reversi.house.engine.bitboard import CORNERS
from bots.reversi.house.engine.evaluation import Weights
from bots.reversi.house.engine.squares import SQUARE_VALUES
from bots.reversi.training.evolve.playing import Position, Score
from bots.reversi.training.patterns.compiled import INFINITE, count_bits, discs_flipped_by, final_lead, legal_moves

_U = np.uint64
_ONE, _ZERO, _SEVEN, _EIGHT, _BYTE = _U(1), _U(0), _U(7), _U(8), _U(255)
_CORNERS: Final = _U(CORNERS)
_NOT_A: Final = _U(0xFEFEFEFEFEFEFEFE)
_NOT_H: Final = _U(0x7F7F7F7F7F7F7F7F)
_COLUMN_A: Final = _U(0x0101010101010101)
_GATHER: Final = _U(0x0102040810204080)
_TOP: Final = _U(56)
_LOWER_X: Final = _U(0x42000000000000)
_EDGES: Final = np.array(engine.EDGES, dtype=np.int64)
_TERNARY: Final = np.array([int(f"{row:b}", 3) for row in range(256)], dtype=np.int64)
_VALUES: Final = np.array([SQUARE_VALUES[1 << at] for at in range(64)], dtype=np.int64)
_WON: Final = engine.WON


@njit(cache=True)
def _with_neighbours(squares):
    wide = squares | ((squares << _ONE) & _NOT_A) | ((squares >> _ONE) & _NOT_H)
    return wide | (wide << _EIGHT) | (wide >> _EIGHT)


@njit(cache=True)
def _edge_value(own, other):
    return _EDGES[_TERNARY[np.int64(own & _BYTE)] + 2 * _TERNARY[np.int64(other & _BYTE)]]


@njit(cache=True)
def _column_as_row(squares):
    return ((squares & _COLUMN_A) * _GATHER) >> _TOP


@njit(cache=True)
def _square_balance(squares):
    worth = 0
    while squares:
        lowest = squares & (~squares + _ONE)
        worth += _VALUES[count_bits(lowest - _ONE)]
        squares ^= lowest
    return worth


@njit(cache=True)
def estimate(own, other, unit_values):
    """Estimate a position; ``unit_values``: see ``engine.evaluation.unit_values``."""
    mine, theirs = legal_moves(own, other), legal_moves(other, own)
    if mine == _ZERO and theirs == _ZERO:
        return _final_value(own, other)
    empty = ~(own | other)
    corners, open_corners = (own | other) & _CORNERS, empty & _CORNERS
    exposed = ((open_corners & _ONE) << _U(9)) | ((open_corners & _U(0x80)) << _SEVEN)
    exposed |= ((open_corners >> _SEVEN) | (open_corners >> _U(9))) & _LOWER_X
    edges = _edge_value(own, other) + _edge_value(own >> _TOP, other >> _TOP)
    edges += _edge_value(_column_as_row(own), _column_as_row(other)) + _edge_value(
        _column_as_row(own >> _SEVEN), _column_as_row(other >> _SEVEN)
    )
    return (
        unit_values[0] * (_square_balance(own) - _square_balance(other))
        + unit_values[1] * (count_bits(mine) - count_bits(theirs))
        + unit_values[2] * (count_bits(_with_neighbours(other) & empty) - count_bits(_with_neighbours(own) & empty))
        + unit_values[3] * (count_bits(own & corners) - count_bits(other & corners))
        + unit_values[4] * (count_bits(own & exposed) - count_bits(other & exposed))
        + unit_values[5] * edges
        + unit_values[6] * (count_bits(own) - count_bits(other))
    )


@njit(cache=True)
def _final_value(own, other):
    ahead = final_lead(own, other)
    if ahead > 0:
        return _WON + 100 * ahead
    return 100 * ahead - _WON if ahead < 0 else 0


@njit("int64(uint64, uint64, int64, int64, int64, int64[::1])", cache=True)
def _search(own, other, depth, low, high, unit_values):
    if depth == 0:
        return estimate(own, other, unit_values)
    legal = legal_moves(own, other)
    if legal == _ZERO:
        if legal_moves(other, own) == _ZERO:
            return _final_value(own, other)
        return -_search(other, own, depth, -high, -low, unit_values)
    best = -INFINITE
    while legal:
        move = legal & (~legal + _ONE)
        legal ^= move
        turned = discs_flipped_by(own, other, move)
        found = -_search(other ^ turned, own | turned | move, depth - 1, -high, -max(low, best), unit_values)
        if found > best:
            best = found
            if best >= high:
                break
    return best


@njit(cache=True)
def _play_game(own, other, first, second, depth):
    """Play a game; return the first mover's final lead in discs."""
    side = 0
    while True:
        legal = legal_moves(own, other)
        if legal == _ZERO:
            own, other, side = other, own, 1 - side
            if legal_moves(own, other) == _ZERO:
                return -final_lead(own, other) if side else final_lead(own, other)
            continue
        unit_values = second if side else first
        best, chosen = -INFINITE, _ZERO
        while legal:
            move = legal & (~legal + _ONE)
            legal ^= move
            turned = discs_flipped_by(own, other, move)
            worth = -_search(other ^ turned, own | turned | move, depth - 1, -INFINITE, -best, unit_values)
            if worth > best:
                best, chosen = worth, move
        turned = discs_flipped_by(own, other, chosen)
        own, other, side = other ^ turned, own | turned | chosen, 1 - side


@njit(cache=True)
def _play_openings(starts, ours, theirs, depth):
    leads = np.empty(2 * len(starts), dtype=np.int64)
    for at in range(len(starts)):
        leads[2 * at] = _play_game(starts[at, 0], starts[at, 1], ours, theirs, depth)
        leads[2 * at + 1] = -_play_game(starts[at, 0], starts[at, 1], theirs, ours, depth)
    return leads


def unit_values(weights: Weights) -> Any:
    return np.array(engine.unit_values(weights), dtype=np.int64)


def play_match(ours: Weights, theirs: Weights, starts: list[Position], depth: int) -> Score:
    """Play a match as ``playing.play_match`` does; ties between equally good moves may be broken differently."""
    leads = _play_openings(np.array(starts, dtype=np.uint64), unit_values(ours), unit_values(theirs), depth)
    return Score(int((leads > 0).sum()), int((leads == 0).sum()), int((leads < 0).sum()))
