"""Solve the endgame exactly: the number of discs by which the side to move wins under perfect play.

Negamax with alpha-beta as in ``search``, but without estimates: the values are those of ``evaluation.final_lead``. The
method depends on the number of empty squares:

- many: moves that leave the opponent the fewest replies come first ("fastest first"), where a reply into a corner
  counts as two; results are kept in a table;
- few: every empty square is tried without first checking whether it is legal. Squares in a quadrant with an odd number
  of empty squares come first, because the side that plays there tends to get the quadrant's last move (parity);
- one: the result is counted without playing the move.

Invariant: as in ``search``, neither the order nor the table changes a value.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from .bitboard import CORNERS, FULL, discs_flipped_by, iterate_squares, legal_moves, position_after
from .evaluation import final_lead
from .search import OutOfTime
from .squares import SQUARE_VALUES
from .table import TranspositionTable, settles_search, zobrist_key

MAX_SCORE: Final = 64
_FEW: Final = 6  # measured: with more empty squares, ordering by mobility pays off
_CLOCK_EVERY: Final = 256
_QUADRANTS: Final = (0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32)


class Endgame:
    """A solver of positions, which stops at a deadline; ``nodes``: the number of visited positions."""

    def __init__(
        self,
        table: TranspositionTable,
        *,
        deadline: float = float("inf"),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._table, self._entries = table, table.entries
        self._deadline, self._clock = deadline, clock
        self.nodes = 0

    def solve(self, own: int, other: int, low: int = -MAX_SCORE, high: int = MAX_SCORE) -> tuple[int, int]:
        """Return the value for the side to move, and its best move (0 for a pass). Raises OutOfTime.

        The value is exact between ``low`` and ``high``; outside this range, it is a bound.
        """
        best, found = -MAX_SCORE - 1, 0
        for move, theirs, ours in _fastest_first(own, other, legal_moves(own, other), 0):
            value = -self.value(theirs, ours, -high, -low)
            if value > best:
                best, found = value, move
            low = max(low, value)
            if low >= high:
                break
        return (best, found) if found else (self.value(own, other, low, high), 0)

    def value(self, own: int, other: int, low: int, high: int) -> int:
        """Return the value of the position for the side to move. Raises OutOfTime."""
        empty = FULL & ~(own | other)
        if empty.bit_count() <= _FEW:
            return self._solve_few(own, other, _order_by_parity(empty), low, high)
        self._count()
        legal = legal_moves(own, other)
        if not legal:
            return -self.value(other, own, -high, -low) if legal_moves(other, own) else final_lead(own, other)
        position = zobrist_key(own, other)
        entry = self._entries.get(position)
        if entry is not None and settles_search(entry, low, high):
            return entry.value
        best, found, sure = -MAX_SCORE - 1, 0, low
        for move, theirs, ours in _fastest_first(own, other, legal, entry.move if entry else 0):
            value = -self.value(theirs, ours, -high, -sure)
            if value > best:
                best, found = value, move
                sure = max(sure, value)
                if sure >= high:
                    break
        self._table.store(position, empty.bit_count(), best, low, high, found)
        return best

    def _solve_few(self, own: int, other: int, empties: list[int], low: int, high: int, passed: bool = False) -> int:
        """Return the value of a position with few empty squares, which are tried in the order of ``empties``."""
        self._count()
        if len(empties) == 1:
            return _solve_last_square(own, other, empties[0])
        best = -MAX_SCORE - 1
        for move in empties:
            turned = discs_flipped_by(own, other, move)
            if turned:
                rest = [square for square in empties if square != move]
                value = -self._solve_few(other ^ turned, own | turned | move, rest, -high, -low)
                if value > best:
                    best = value
                    low = max(low, value)
                    if low >= high:
                        break
        if best >= -MAX_SCORE:
            return best
        return final_lead(own, other) if passed else -self._solve_few(other, own, empties, -high, -low, passed=True)

    def _count(self) -> None:
        self.nodes += 1
        if not self.nodes & _CLOCK_EVERY - 1 and self._clock() > self._deadline:
            raise OutOfTime


def _solve_last_square(own: int, other: int, empty: int) -> int:
    """Evaluate a position with one empty square.

    The side to move plays there if it can, otherwise the other side, otherwise neither.
    """
    turned = discs_flipped_by(own, other, empty)
    if turned:
        return 2 * (own | turned | empty).bit_count() - 64
    turned = discs_flipped_by(other, own, empty)
    if turned:
        return 64 - 2 * (other | turned | empty).bit_count()
    return final_lead(own, other)


def _order_by_parity(empty: int) -> list[int]:
    """Order the empty squares: those in quadrants with an odd number of them first, each group by descending value."""
    odd = 0
    for quadrant in _QUADRANTS:
        if (empty & quadrant).bit_count() & 1:
            odd |= quadrant
    return sorted(
        iterate_squares(empty), key=lambda square: SQUARE_VALUES[square] + (200 if square & odd else 0), reverse=True
    )


def _fastest_first(own: int, other: int, legal: int, remembered: int) -> list[tuple[int, int, int]]:
    """Return the legal moves with the resulting positions, most promising first.

    ``remembered``: the move stored in the table, or 0 if there is no such move.
    """
    empty = FULL & ~(own | other)
    odd = 0
    for quadrant in _QUADRANTS:
        if (empty & quadrant).bit_count() & 1:
            odd |= quadrant
    children = [(move, *position_after(own, other, move)) for move in iterate_squares(legal)]

    def reply_count(child: tuple[int, int, int]) -> int:
        move, theirs, ours = child
        if move == remembered:
            return -1000
        left = legal_moves(theirs, ours)
        return (
            4 * (left.bit_count() + (left & CORNERS).bit_count()) - SQUARE_VALUES[move] // 8 - (2 if move & odd else 0)
        )

    children.sort(key=reply_count)
    return children
