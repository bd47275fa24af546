"""Charge a bot for computing and sleeping, but not for waiting for a core: a busy machine never costs a bot a match.

The charge is ``max(cpu, wall - waited)``. ``cpu`` is the CPU time of all threads of the bot. ``waited`` is the time
during which the bot was ready to run but had no core. It is the sum of two times. ``Usage.runnable_wait`` is a lower
bound measured from outside (``core_wait`` in the sandbox contains the derivation and its errors). ``Usage.late`` is the
time for which an answer may have been waiting while the referee itself waited for a core. Only the last measuring
interval counts for ``Usage.late``: in all earlier intervals, the referee saw that there was no answer yet.

Wall time is capped at ``limit * 3 + 5`` seconds. Sleep is charged, so a bot that reaches the cap while its charge is
still below the limit was kept from its core; that is the arena's failure. The bots of a match share a core, so the cap
is multiplied by the number of bots asked during the request, whether at once or one after another: seats that conspire
to use all of their time cannot void a table.

Invariants: everything is measured from outside the bot. Time is charged unless the bot is known to have waited for a
core. If only wall time is known, wall time is charged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

from arena.core.referee.events import NO_TIME, TimeSpent

# The hard cap on wall time: this multiple of the limit plus this many seconds.
LIMIT_TIMES: Final = 3
LIMIT_PLUS: Final = 5

# Seconds between two measurements while a bot thinks: a share of its thinking time, between minimum and maximum. A
# thread's waiting time can be read only while the thread exists.
MIN_INTERVAL: Final = 0.005
MAX_INTERVAL: Final = 0.05
_INTERVAL_SHARE: Final = 0.25


class Usage(Protocol):
    """The CPU and waiting times of a process since its start, in seconds, as measured by ``arena.core.sandbox``."""

    @property
    def cpu(self) -> float: ...
    @property
    def runnable_wait(self) -> float: ...
    @property
    def late(self) -> float:
        """Return how long the referee itself has waited for a core since the previous measurement."""


def wall_limit(limit: float, sharing: int = 1) -> float:
    """Return the wall-clock time after which a request is abandoned, however little time was charged to the bot.

    ``sharing``: number of bots asked at the same time in this match, including this one; they may share one core.
    """
    return limit * LIMIT_TIMES * sharing + LIMIT_PLUS


@dataclass(slots=True)
class Meter:
    """A meter that adds up the time that a bot uses from one budget, over one or more requests.

    ``rivals``: the other seats of the match that are asked at the same time.
    """

    limit: float
    spent: TimeSpent = NO_TIME
    rivals: set[int] = field(default_factory=set)
    _started_at: float = 0.0
    _usage: Usage | None = None

    def start(self, now: float, usage: Usage | None) -> None:
        """Start measuring a request. ``usage``: the totals before the request; None if unknown."""
        self._started_at = now
        self._usage = usage

    def read(self, now: float, usage: Usage | None) -> TimeSpent:
        """Return the total time that the bot would have used if it answered now. ``usage``: the current totals."""
        wall = max(0.0, now - self._started_at)
        if usage is None or self._usage is None:
            charged, cpu = wall, 0.0
        else:
            cpu = max(0.0, usage.cpu - self._usage.cpu)
            waited = max(0.0, usage.runnable_wait - self._usage.runnable_wait) + usage.late
            charged = max(cpu, wall - waited)
        return TimeSpent(self.spent.charged + charged, self.spent.cpu + cpu, self.spent.wall + wall)

    def stop(self, now: float, usage: Usage | None) -> TimeSpent:
        """Stop measuring the request; return the total time spent from this budget, including the request."""
        self.spent = self.read(now, usage)
        return self.spent

    def is_limit_exceeded(self, spent: TimeSpent) -> bool:
        return spent.charged > self.limit

    def is_machine_too_busy(self, spent: TimeSpent) -> bool:
        """Return whether the machine was too busy to give this bot its time."""
        return spent.wall > self._wall_limit()

    def next_check(self, spent: TimeSpent) -> float:
        """Return the seconds until the next measurement; wall time cannot exceed the limit before then."""
        due = min(self.limit - spent.charged, self._wall_limit() - spent.wall)
        if self._usage is not None:
            thought = spent.wall - self.spent.wall
            due = min(due, max(MIN_INTERVAL, min(MAX_INTERVAL, thought * _INTERVAL_SHARE)))
        return max(0.0005, due)

    def _wall_limit(self) -> float:
        return wall_limit(self.limit, 1 + len(self.rivals))
