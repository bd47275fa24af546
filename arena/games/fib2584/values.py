"""The exact value of every board: the expected future reward under perfect play.

V(before) = max over legal directions of reward + V(after), 0 if none is legal; V(after) = expectation over drops. Only
afterstates are stored, one per set of four symmetric boards, so V(before) is exactly the maximum of reward + V(after).
``python -m bots train fib2584 --exact`` writes ``values.bin``, which a test checks. The file is zlib-compressed and
little-endian: the number of boards, the differences between their sorted codes (unsigned 32 bits each), and the values
(doubles).
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Final

from arena.games.fib2584.board import DROPS, START_DROPS, boards_after_drop, canonical, slides, unpack

RESOURCE: Final = "values.bin"


class Unreachable(ValueError):  # noqa: N818 - a fact about a board, not a failure
    """Raised if no sequence of moves leads to this board."""


class Values:
    """The table of afterstates: sorted canonical ``boards`` and their values."""

    def __init__(self, boards: Sequence[int], values: Sequence[float]) -> None:
        self._boards = boards
        self._values = values

    def value_before_drop(self, board: int) -> float:
        """Return the value of a board before a drop. Raises Unreachable."""
        place = self._index(board)
        if place is None:
            raise Unreachable
        return self._values[place]

    def value_before_move(self, board: int) -> float:
        """Return the value of a board before a move, or 0 if no direction is legal. Raises Unreachable."""
        if not self.is_reachable_before_move(board):
            raise Unreachable
        return max(self.direction_values(board).values(), default=0.0)

    def direction_values(self, board: int) -> dict[int, float]:
        """Return reward + V(after) for each legal direction in a reachable before-state."""
        return {direction: reward + self.value_before_drop(slid) for direction, slid, reward in slides(board)}

    def is_reachable_before_drop(self, board: int) -> bool:
        return self._index(board) is not None

    def is_reachable_before_move(self, board: int) -> bool:
        """Return whether a drop can lead to this board: a game's second drop, or one after a reachable afterstate."""
        tiles = unpack(board)
        low = [cell for cell, index in enumerate(tiles) if index in (DROPS[0][0], DROPS[1][0])]
        if len(low) == sum(map(bool, tiles)) == START_DROPS:
            return True
        return any(self.is_reachable_before_drop(board & ~(15 << 4 * cell)) for cell in low)

    def start_value(self) -> float:
        """Return V(start): the expectation over the first two drops."""
        return sum(
            one * other * self.value_before_move(second)
            for first, one in boards_after_drop(0)
            for second, other in boards_after_drop(first)
        )

    def _index(self, board: int) -> int | None:
        code = canonical(board)
        place = bisect_left(self._boards, code)
        return place if place < len(self._boards) and self._boards[place] == code else None


@cache
def exact_values() -> Values:
    """Return the shipped table of exact values, which is read once per process."""
    return read_values(files(__package__).joinpath(RESOURCE).read_bytes())


@cache
def start_value() -> float:
    """Return V(start)."""
    return exact_values().start_value()


def read_values(data: bytes) -> Values:
    """Parse the result of ``write_values``. Raises ValueError, zlib.error or struct.error for corrupt data."""
    raw = zlib.decompress(data)
    (count,) = struct.unpack_from("<I", raw)
    steps, values = array("I"), array("d")
    steps.frombytes(raw[4 : 4 + 4 * count])
    values.frombytes(raw[4 + 4 * count :])
    if len(values) != count:
        raise ValueError(f"{count} boards but {len(values)} values")
    if sys.byteorder == "big":
        steps.byteswap()
        values.byteswap()
    return Values(array("I", accumulate(steps)), values)


def write_values(boards: Sequence[int], values: Sequence[float]) -> bytes:
    """Serialize the table. ``boards``: canonical boards in ascending order; ``values``: their values."""
    steps = [board - before for board, before in zip(boards, (0, *boards[:-1]), strict=True)]
    count = len(steps)
    return zlib.compress(struct.pack(f"<I{count}I{count}d", count, *steps, *values), level=9)
