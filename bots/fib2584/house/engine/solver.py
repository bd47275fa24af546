"""Solve 2584 on a 2x3 board exactly: list every reachable board and compute its value under perfect play.

Slides preserve the sum of the tiles and drops increase it by 1 or 2, so the boards form layers by their sum. The layers
are listed forwards and evaluated backwards. Of every four symmetric boards, only the one with the smallest code is
stored. A code has four bits per cell, with cell 0 in the lowest bits; arrays of codes are int32, arrays of values
float64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .board import DROPS, LEFT, RIGHT, TILES, UP, board_code, slide_line

Codes = NDArray[np.int32]
Numbers = NDArray[np.float64]

CELLS, COLUMNS = 6, 3


def _line_tables(length: int) -> tuple[tuple[Codes, Codes], tuple[Codes, Codes]]:
    """Return two pairs of tables (resulting lines, rewards) for lines of ``length`` cells.

    The first pair is for slides towards the first cell, the second pair for slides towards the last cell.
    """
    tables = tuple((np.zeros(16**length, np.int32), np.zeros(16**length, np.int32)) for _ in range(2))
    top = len(TILES) - 1
    for line in product(range(len(TILES)), repeat=length):
        if not {top, top - 1} <= set(line):  # these two tiles never meet
            for (slid_to, rewards), step in zip(tables, (1, -1), strict=True):
                slid, reward = slide_line(line[::step])
                slid_to[board_code(line)] = board_code(slid[::step])
                rewards[board_code(line)] = reward
    return tables[0], tables[1]


_ROWS = _line_tables(COLUMNS)
_PAIRS = _line_tables(2)
_MIRRORED: Codes = np.array([row >> 8 | row & 0xF0 | (row & 15) << 8 for row in range(1 << 12)], np.int32)


def slide(boards: Codes, direction: int) -> tuple[Codes, Codes]:
    """Return all boards after a slide in one direction, and the rewards."""
    if direction in (LEFT, RIGHT):
        slid_to, rewards = _ROWS[0] if direction == LEFT else _ROWS[1]
        upper, lower = boards & 0xFFF, boards >> 12
        return slid_to[upper] | slid_to[lower] << 12, rewards[upper] + rewards[lower]
    slid_to, rewards = _PAIRS[0] if direction == UP else _PAIRS[1]
    slid, gained = np.zeros_like(boards), np.zeros_like(boards)
    for shift in range(0, 4 * COLUMNS, 4):
        pair = boards >> shift & 15 | (boards >> shift + 12 & 15) << 4
        moved = slid_to[pair]
        slid |= (moved & 15) << shift | (moved >> 4) << shift + 12
        gained += rewards[pair]
    return slid, gained


def canonical_codes(boards: Codes) -> Codes:
    """Return the smallest code among the four symmetric variants of each board."""
    turned = boards >> 12 | (boards & 0xFFF) << 12
    mirrored = _MIRRORED[boards & 0xFFF] | _MIRRORED[boards >> 12] << 12
    both = mirrored >> 12 | (mirrored & 0xFFF) << 12
    found: Codes = np.minimum(np.minimum(boards, turned), np.minimum(mirrored, both))
    return found


def _drops(boards: Codes) -> Iterator[tuple[NDArray[np.bool_], list[tuple[Codes, float]]]]:
    """Yield the boards after a drop, cell by cell.

    For each cell, yield a mask of the boards in which the cell is empty and, for each tile, those boards after the tile
    has dropped there, together with the tile's probability.
    """
    for shift in range(0, 4 * CELLS, 4):
        empty = (boards >> shift & 15) == 0
        yield empty, [(canonical_codes(boards[empty] | tile << shift), chance) for tile, chance in DROPS]


@dataclass(frozen=True, slots=True)
class Layers:
    """The canonical boards, grouped into layers by the sum of their tiles; each layer is sorted by code."""

    before: dict[int, Codes]  # the player is to move
    after: dict[int, Codes]  # a tile is about to drop


def list_layers() -> Layers:
    """Return every board that can be reached from the initial boards, which have two tiles."""
    waiting: dict[int, list[Codes]] = {}
    for first, second in product(range(CELLS), repeat=2):
        for (one, _), (other, _) in product(DROPS, repeat=2):
            if first != second:
                board = np.array([one << 4 * first | other << 4 * second], np.int32)
                waiting.setdefault(TILES[one] + TILES[other], []).append(canonical_codes(board))
    layers = Layers({}, {})
    while waiting:
        total = min(waiting)
        boards = layers.before[total] = np.unique(np.concatenate(waiting.pop(total)))
        slid = [moved[moved != boards] for moved, _ in (slide(boards, direction) for direction in range(4))]
        after = np.unique(canonical_codes(np.concatenate(slid)))
        if len(after):
            layers.after[total] = after
            for _, dropped in _drops(after):
                for (found, _), (tile, _) in zip(dropped, DROPS, strict=True):
                    waiting.setdefault(total + TILES[tile], []).append(found)
    return layers


@dataclass(frozen=True, slots=True)
class Solution:
    """All canonical boards in ascending order, with their values before a move and before a drop."""

    before: Codes
    before_values: Numbers
    after: Codes
    after_values: Numbers


def solve(layers: Layers | None = None) -> Solution:
    """Compute all values from the last layer to the first.

    V(before) is the maximum of reward + V(after); V(after) is the expected V(before) over all drops.
    """
    layers = layers or list_layers()
    before: dict[int, Numbers] = {}
    after: dict[int, Numbers] = {}
    for total in sorted(layers.before, reverse=True):
        if total in layers.after:
            after[total] = _expected_values(layers, total, before)
        before[total] = _best_values(layers, total, after.get(total))
    return Solution(*_sort_layers(layers.before, before), *_sort_layers(layers.after, after))


def _sort_layers(layers: dict[int, Codes], values: dict[int, Numbers]) -> tuple[Codes, Numbers]:
    boards = np.concatenate(list(layers.values()))
    order = np.argsort(boards)
    return boards[order], np.concatenate([values[total] for total in layers])[order]


def _expected_values(layers: Layers, total: int, before: dict[int, Numbers]) -> Numbers:
    boards = layers.after[total]
    values, empty_cells = np.zeros(len(boards)), np.zeros(len(boards))
    for empty, dropped in _drops(boards):
        empty_cells += empty
        for (found, chance), (tile, _) in zip(dropped, DROPS, strict=True):
            layer = total + TILES[tile]
            values[empty] += chance * before[layer][np.searchsorted(layers.before[layer], found)]
    return values / empty_cells


def _best_values(layers: Layers, total: int, after: Numbers | None) -> Numbers:
    boards = layers.before[total]
    best: Numbers = np.zeros(len(boards))
    for direction in range(4):
        slid, rewards = slide(boards, direction)
        legal = slid != boards
        if after is not None and legal.any():
            places = np.searchsorted(layers.after[total], canonical_codes(slid[legal]))
            best[legal] = np.maximum(best[legal], rewards[legal] + after[places])
    return best
