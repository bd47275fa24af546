"""Time management: how much of the time for a move is spent on thinking, and how it is measured.

The arena charges a bot for its CPU time, or for wall-clock time minus the time that it waited for a core; the local
runner only measures wall-clock time. Thinking is therefore measured in CPU time, so that a busy machine does not
shorten it, but it always leaves a reserve before the wall-clock limit. The reserve grows with the longest recent pause
during which the machine ran something else while the bot was thinking, because such a pause may happen again.

Invariant: the bot moves in time unless the machine pauses for more than twice as long as the longest recent pause.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MAX_SECONDS: Final = 1.0  # more would make a bot stronger, but matches longer
_RESERVE_SECONDS: Final = 0.1  # for communication with the referee
_PAUSES: Final = 2.5  # the reserve, as a multiple of the longest pause
_FORGOTTEN: Final = 0.9  # decay factor per move for the longest pause


class TimeBudget:
    """One player's time budget; ``clock`` is the clock that its searches use.

    ``max_seconds``: maximum seconds per move.
    """

    def __init__(
        self,
        max_seconds: float = MAX_SECONDS,
        *,
        wall: Callable[[], float] = time.perf_counter,
        computing: Callable[[], float] = time.process_time,
    ) -> None:
        self._max_seconds, self._wall, self._computing = max_seconds, wall, computing
        self._slack = 0.0  # how far wall-clock time may exceed CPU time
        self._wall_began = self._computing_began = self._last_look = 0.0
        self._longest_pause = 0.0

    def begin(self, seconds_per_move: float) -> float:
        """Begin a move; return how many seconds of ``clock`` may be spent on it."""
        self._wall_began = self._last_look = self._wall()
        self._computing_began = self._computing()
        self._longest_pause *= _FORGOTTEN
        reserve = max(_RESERVE_SECONDS, _PAUSES * self._longest_pause)
        until = max(seconds_per_move / 2, seconds_per_move - reserve)
        seconds = min(self._max_seconds, until)
        self._slack = until - seconds
        return seconds

    def clock(self) -> float:
        """Return the seconds since the move began: CPU time, or wall-clock time if its limit is nearer."""
        now = self._wall()
        computed = self._computing() - self._computing_began
        self._longest_pause = max(self._longest_pause, now - self._last_look)
        self._last_look = now
        return max(computed, now - self._wall_began - self._slack)
