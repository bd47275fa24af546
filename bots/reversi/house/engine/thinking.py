"""Find the best move within a time limit: iterative deepening, and the exact solver as soon as it can finish in time.

All moves are searched to depth one, then two, and so on, as long as there is time. This costs little more than the last
search alone, because each search makes the next one faster: the table keeps the best moves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .bitboard import FULL, iterate_squares, legal_moves, position_after
from .endgame import Endgame
from .evaluation import DISC, WON, Evaluation
from .search import INFINITE, OutOfTime, Search, SearchFeatures
from .squares import SQUARE_VALUES
from .table import TranspositionTable

# This Python code solves positions with this many empty squares in this many seconds; each further square multiplies
# the time by about three.
_SOLVED: Final = 14
_SOLVED_SECONDS: Final = 0.25
_HARDER: Final = 3.0
_SHARE_TO_SOLVE: Final = 0.7  # share of the remaining time for solving; the rest remains for a search if solving fails
# Search depth before solving: this quickly finds a good move in case time runs out.
_LOOK_BEFORE_SOLVING: Final = 4


@dataclass(frozen=True, slots=True)
class ThinkingResult:
    """The result for a position.

    ``value``: in hundredths of a disc (see ``evaluation``); ``depth``: depth of the search; ``exact``: whether it was
    solved to the end.
    """

    move: int
    value: int
    depth: int
    exact: bool
    nodes: int


class Thinker:
    """A player that finds the moves of one match; its transposition table is kept for the next move.

    ``max_depth``: the maximum search depth. ``solve``: whether to solve the endgame exactly. ``uses_probcut``: whether
    to prune with ``probcut``, which suits the learned evaluation.
    """

    def __init__(
        self,
        evaluate: Evaluation,
        *,
        max_depth: int = 60,
        solve: bool = True,
        uses_probcut: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._evaluate, self._clock = evaluate, clock
        self._max_depth, self._solve, self._uses_probcut = max_depth, solve, uses_probcut
        self._table, self._endings = TranspositionTable(), TranspositionTable()

    def think(self, own: int, other: int, seconds: float) -> ThinkingResult:
        """Return the best move for the side to move. There must be a legal move."""
        deadline = self._clock() + seconds
        ranked = sorted(iterate_squares(legal_moves(own, other)), key=SQUARE_VALUES.__getitem__, reverse=True)
        empties = (FULL & ~(own | other)).bit_count()
        search = Search(
            self._evaluate,
            self._table,
            SearchFeatures(uses_probcut=self._uses_probcut),
            deadline=deadline,
            clock=self._clock,
        )
        finding = ThinkingResult(ranked[0], 0, 0, False, 0)
        if len(ranked) == 1:
            return finding
        to_solve = self._solve and empties <= solvable_squares(seconds)
        for depth in range(1, min(empties, self._max_depth) + 1):
            if to_solve and depth > min(_LOOK_BEFORE_SOLVING, empties - 1):
                to_solve = False
                solved = self._try_to_solve(own, other, deadline)
                if solved:
                    return solved
            try:
                finding = self._search_to_depth(search, own, other, depth, ranked)
            except OutOfTime:
                break
            ranked.remove(finding.move)
            ranked.insert(0, finding.move)
        return finding

    def _try_to_solve(self, own: int, other: int, deadline: float) -> ThinkingResult | None:
        now = self._clock()
        endgame = Endgame(self._endings, deadline=now + _SHARE_TO_SOLVE * (deadline - now), clock=self._clock)
        try:
            lead, move = endgame.solve(own, other)
        except OutOfTime:
            return None
        return ThinkingResult(move, lead * DISC, (FULL & ~(own | other)).bit_count(), True, endgame.nodes)

    def _search_to_depth(self, search: Search, own: int, other: int, depth: int, ranked: list[int]) -> ThinkingResult:
        """Search to one depth, beginning with the best move of the previous depth.

        Once that move has been searched, the result counts even if the search is interrupted.
        """
        best, found = -INFINITE, 0
        try:
            for move in ranked:
                theirs, ours = position_after(own, other, move)
                value = -search.value(theirs, ours, depth - 1, -best - 1 if found else -INFINITE, -best)
                if value > best:
                    better = found != 0
                    best, found = value, move
                    if better:  # so far only known to be better
                        best = -search.value(theirs, ours, depth - 1, -INFINITE, -value + 1)
        except OutOfTime:
            if not found:
                raise
        exact = depth >= (FULL & ~(own | other)).bit_count()
        return ThinkingResult(found, _in_discs(best), depth, exact, search.nodes)


def solvable_squares(seconds: float) -> int:
    """Return the largest number of empty squares with which a position can be solved in this many seconds."""
    return _SOLVED + math.floor(math.log(max(seconds, 1e-3) / _SOLVED_SECONDS, _HARDER))


def _in_discs(value: int) -> int:
    """Convert the value of a final position to hundredths of a disc, the unit of estimates."""
    if value >= WON:
        return value - WON
    return value + WON if value <= -WON else value
