"""Play by tree search with the network, and by the exact solver as soon as it can finish in time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from .bitboard import FULL, legal_moves
from .endgame import Endgame
from .network import Network
from .puct import NetworkSearch
from .search import OutOfTime
from .table import TranspositionTable
from .thinking import solvable_squares
from .tree import ChosenMove

_SHARE_TO_SOLVE: Final = 0.7  # share of the time for solving; the rest remains for the search if solving fails


class NetworkPlayer:
    """A player that finds the moves of one match.

    ``solve``: whether to solve the endgame exactly.
    """

    def __init__(self, network: Network, *, solve: bool = True, clock: Callable[[], float] = time.perf_counter) -> None:
        self._search = NetworkSearch(network, clock=clock)
        self._solve, self._clock = solve, clock
        self._endings = TranspositionTable()

    def think(self, own: int, other: int, seconds: float) -> ChosenMove:
        """Return the best move for the side to move. There must be a legal move."""
        end = self._clock() + seconds
        empties = (FULL & ~(own | other)).bit_count()
        if self._solve and empties <= solvable_squares(seconds) and legal_moves(own, other).bit_count() > 1:
            endgame = Endgame(self._endings, deadline=self._clock() + _SHARE_TO_SOLVE * seconds, clock=self._clock)
            try:
                lead, move = endgame.solve(own, other)
            except OutOfTime:
                pass
            else:
                return ChosenMove(move, 1.0 if lead > 0 else 0.0 if lead else 0.5, endgame.nodes)
        return self._search.think(own, other, max(0.0, end - self._clock()))
