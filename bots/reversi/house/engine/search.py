"""Alpha-beta search to a fixed depth.

Written as negamax: a position is always evaluated for the side to move, and its value for one side is the negative of
its value for the other. ``low`` is the value that the side to move can already guarantee, ``high`` the value to which
the opponent can limit it. A move that reaches ``high`` ends the search of its position (Knuth and Moore, An Analysis of
Alpha-Beta Pruning, Artificial Intelligence 6 (1975), 293-326).

The earlier good moves are tried, the more positions are cut off. The order is: the move stored in the table, two
killers (moves that caused a cutoff in a sibling position), then the other moves by the values of their squares or, far
from the leaves, by the evaluation of the position after the move. Once a good move has been found, the search uses a
null window to test only whether the others are better (Marsland and Campbell, Parallel Search of Strongly Ordered Game
Trees, 1982).

Invariants: move order, table and windows do not change a value, only how many positions are visited; selective pruning
(``probcut``) may change values. A pass does not count towards the depth.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .bitboard import discs_flipped_by, iterate_squares, legal_moves, position_after
from .evaluation import WON, Evaluation, final_value
from .probcut import MARGINS
from .squares import SQUARE_VALUES
from .table import TranspositionTable, settles_search, zobrist_key

INFINITE: Final = 2 * WON
_CLOCK_EVERY: Final = 64  # positions between clock checks; a power of two
_KEPT_FROM: Final = 2  # minimum depth for using the table: below it, a lookup costs as much as a search
_MOBILITY_FROM: Final = 2
_JUDGED_FROM: Final = 3


@dataclass(frozen=True, slots=True)
class SearchFeatures:
    """The enabled features of a search; comparisons disable some of them, and matches also enable ProbCut."""

    ordering: bool = True
    table: bool = True
    windows: bool = True
    uses_probcut: bool = False


class OutOfTime(Exception):  # noqa: N818 - ends a search, not an error
    """Raised when the deadline has passed; the current search has no result."""


class Search:
    """A search of positions until a deadline; ``nodes``: the number of visited positions."""

    def __init__(
        self,
        evaluate: Evaluation,
        table: TranspositionTable,
        parts: SearchFeatures = SearchFeatures(),
        *,
        deadline: float = float("inf"),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._evaluate = evaluate
        self._table, self._entries = table, table.entries
        self._ordering, self._keeps, self._windows = parts.ordering, parts.table, parts.windows
        self._uses_probcut = parts.uses_probcut
        self._deadline, self._clock = deadline, clock
        self._killers: dict[int, tuple[int, int]] = {}  # indexed by the remaining depth
        self._next_look = _CLOCK_EVERY
        self.nodes = 0

    def value(self, own: int, other: int, depth: int, low: int = -INFINITE, high: int = INFINITE) -> int:
        """Return the negamax value. Raises OutOfTime.

        The value is exact between ``low`` and ``high``; outside this range, it is a bound.
        """
        self.nodes += 1
        if self.nodes >= self._next_look:
            self._check_deadline()
        if depth == 0:
            return self._evaluate(own, other)
        legal = legal_moves(own, other)
        if not legal:
            if not legal_moves(other, own):
                return final_value(own, other)
            return -self.value(other, own, depth, -high, -low)
        if depth == 1:
            return self._leaves(own, other, legal, high)
        if not self._keeps or depth < _KEPT_FROM:
            return self._best(own, other, depth, low, high, legal, 0)[0]
        position = zobrist_key(own, other)
        entry = self._entries.get(position)
        if entry is not None and entry.depth >= depth and settles_search(entry, low, high):
            return entry.value
        if (
            self._uses_probcut
            and high - low == 1
            and (bound := self._probcut(own, other, depth, low, high)) is not None
        ):
            return bound
        value, best = self._best(own, other, depth, low, high, legal, entry.move if entry else 0)
        self._table.store(position, depth, value, low, high, best)
        return value

    def _check_deadline(self) -> None:
        self._next_look = self.nodes + _CLOCK_EVERY
        if self._clock() > self._deadline:
            raise OutOfTime

    def _leaves(self, own: int, other: int, legal: int, high: int) -> int:
        """Return the value of the best move at depth one."""
        best = -INFINITE
        evaluate = self._evaluate
        while legal:
            move = legal & -legal
            legal ^= move
            turned = discs_flipped_by(own, other, move)
            self.nodes += 1
            value = -evaluate(other ^ turned, own | turned | move)
            if value > best:
                if value >= high:
                    return value
                best = value
        return best

    def _probcut(self, own: int, other: int, depth: int, low: int, high: int) -> int | None:
        """Return a bound that holds almost certainly, if a shallow search finds one (ProbCut); None otherwise."""
        cut = MARGINS[(own | other).bit_count()].get(depth)
        if cut is None or abs(high) > WON // 2:
            return None
        shallow, margin = cut
        bound = high + margin
        if self.value(own, other, shallow, bound - 1, bound) >= bound:
            return high
        bound = low - margin
        if self.value(own, other, shallow, bound, bound + 1) <= bound:
            return low
        return None

    def _best(
        self, own: int, other: int, depth: int, low: int, high: int, legal: int, remembered: int
    ) -> tuple[int, int]:
        """Return the value of the best move, and that move."""
        best, found = -INFINITE, 0
        for move, theirs, ours in self._children(own, other, depth, legal, remembered):
            if found and self._windows and low + 1 < high:
                value = -self.value(theirs, ours, depth - 1, -low - 1, -low)
                if low < value < high:
                    value = -self.value(theirs, ours, depth - 1, -high, -value)
            else:
                value = -self.value(theirs, ours, depth - 1, -high, -low)
            if value > best:
                best, found = value, move
                if value > low:
                    low = value
                    if value >= high:
                        self._remember_killer(depth, move)
                        break
        return best, found

    def _children(self, own: int, other: int, depth: int, legal: int, remembered: int) -> list[tuple[int, int, int]]:
        """Return the legal moves with the resulting positions, most promising first.

        ``remembered``: the move stored in the table, or 0 if there is no such move.
        """
        children = [(move, *position_after(own, other, move)) for move in iterate_squares(legal)]
        if not self._ordering or len(children) < 2:
            return children
        if depth >= _JUDGED_FROM:
            evaluate = self._evaluate
            self.nodes += len(children)

            def evaluated_priority(child: tuple[int, int, int]) -> int:
                move, theirs, ours = child
                return (
                    -INFINITE
                    if move == remembered
                    else evaluate(theirs, ours) + 40 * legal_moves(theirs, ours).bit_count()
                )

            children.sort(key=evaluated_priority)
            return children
        killers = self._killers.get(depth, (0, 0))

        def heuristic_priority(child: tuple[int, int, int]) -> int:
            move, theirs, ours = child
            if move == remembered:
                return 10_000
            rank = SQUARE_VALUES[move]
            if depth >= _MOBILITY_FROM:
                rank -= 8 * legal_moves(theirs, ours).bit_count()
            return rank + 10 if move in killers else rank

        children.sort(key=heuristic_priority, reverse=True)
        return children

    def _remember_killer(self, depth: int, move: int) -> None:
        first, _ = self._killers.get(depth, (0, 0))
        if move != first:
            self._killers[depth] = (move, first)
