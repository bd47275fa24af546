"""A transposition table: search results of positions, looked up by Zobrist keys.

A key is the exclusive or of a random number for every disc (Zobrist, A New Hashing Method with Application for Game
Playing, 1970); the numbers of each row are precombined for all 256 sets of its squares. Key collisions are so unlikely
that they are not detected; a move from the table is played only if it is legal.

Invariant: at most ``size`` positions are stored; a full table is emptied.
"""

from __future__ import annotations

import random
from enum import IntEnum
from typing import Final, NamedTuple

_NUMBERS: Final = random.Random(1970)


def _row_keys() -> list[list[int]]:
    """Return, for each row, a table with the Zobrist key of each possible set of discs in this row."""
    rows = []
    for _ in range(8):
        squares = [_NUMBERS.getrandbits(64) for _ in range(8)]
        combined = [0] * 256
        for row in range(1, 256):
            lowest = row & -row
            combined[row] = combined[row ^ lowest] ^ squares[lowest.bit_length() - 1]
        rows.append(combined)
    return rows


_A1, _A2, _A3, _A4, _A5, _A6, _A7, _A8 = _row_keys()
_B1, _B2, _B3, _B4, _B5, _B6, _B7, _B8 = _row_keys()


def zobrist_key(own: int, other: int) -> int:
    """Return the 64-bit Zobrist key of a position, from the point of view of the side to move."""
    a, b, c, d, e, f, g, h = own.to_bytes(8, "little")
    s, t, u, v, w, x, y, z = other.to_bytes(8, "little")
    return (
        (_A1[a] ^ _A2[b] ^ _A3[c] ^ _A4[d])
        ^ (_A5[e] ^ _A6[f] ^ _A7[g] ^ _A8[h])
        ^ (_B1[s] ^ _B2[t] ^ _B3[u] ^ _B4[v])
        ^ (_B5[w] ^ _B6[x] ^ _B7[y] ^ _B8[z])
    )


class Bound(IntEnum):
    """The kind of an entry's value: exact, a lower bound or an upper bound."""

    EXACT = 0
    LOWER = 1  # a move this good was found; there may be better ones
    UPPER = 2  # no move is better


class TableEntry(NamedTuple):
    """A stored search result.

    ``depth``: the depth of the search; ``move``: the best move or the refutation, 0 for none.
    """

    depth: int
    bound: Bound
    value: int
    move: int


class TranspositionTable:
    """A table of search results, so that a position reached by several lines is searched only once."""

    def __init__(self, size: int = 200_000) -> None:
        self._size = size
        self.entries: dict[int, TableEntry] = {}

    def store(self, key: int, depth: int, value: int, low: int, high: int, move: int) -> None:
        """Store the result of a search to this depth with the window from ``low`` to ``high``."""
        if len(self.entries) >= self._size:
            self.entries.clear()
        bound = Bound.UPPER if value <= low else Bound.LOWER if value >= high else Bound.EXACT
        self.entries[key] = TableEntry(depth, bound, value, move)


def settles_search(entry: TableEntry, low: int, high: int) -> bool:
    """Return whether the entry's value settles a search between ``low`` and ``high``."""
    if entry.bound is Bound.EXACT:
        return True
    return entry.value >= high if entry.bound is Bound.LOWER else entry.value <= low
