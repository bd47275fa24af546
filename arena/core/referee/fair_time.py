"""Charge a bot for computing and sleeping, but not for waiting for a core: a busy machine never costs a game.

Charged is ``max(cpu, wall - waited)``. ``cpu`` is the CPU time of all threads of the bot together. ``waited`` is the
time in which the bot wanted a core and had none: ``Usage.runnable_wait``, measured from outside as a lower bound
(``core_wait`` in the sandbox has its derivation and its errors), and ``Usage.late``, the time that an answer may
have been there while the referee itself waited for a core. Only the last interval of measuring counts for the latter:
at all earlier ones the referee has seen that there was no answer yet.

Behind the limit stands a cap on wall time, ``limit * 3 + 5`` seconds. A bot that sleeps is charged and never gets
that far, so who reaches the cap below the limit was kept from its core: that is our failure, and no bot's. The bots of
a match share a core, and the cap is as many times as high as bots were asked while this one was, one after the other
included: seats that conspire to compute for as long as they may cannot void a table.

Invariants: everything is measured from outside the bot. What is not known to be waiting for a core is charged. Where
nothing but wall time is known, wall time is charged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

from arena.core.referee.events import NO_TIME, Spent

# The hard cap on wall time: so many times the limit and these seconds.
LIMIT_TIMES: Final = 3
LIMIT_PLUS: Final = 5

# Seconds between two measurements while a bot thinks: a share of what it has thought, from the least to the most.
# What a thread waited for a core is known only while that thread lives.
LEAST_INTERVAL: Final = 0.005
MOST_INTERVAL: Final = 0.05
_INTERVAL_SHARE: Final = 0.25


class Usage(Protocol):
    """Totals since the process started, in seconds; ``arena.core.sandbox`` has the real one."""

    @property
    def cpu(self) -> float: ...
    @property
    def runnable_wait(self) -> float: ...
    @property
    def late(self) -> float:
        """Of the time since the measurement before only."""


def wall_cap(limit: float, sharing: int = 1) -> float:
    """The wall time after which a request is given up, whatever was charged.

    ``sharing``: bots of this match that were asked meanwhile, itself included, and may have one core between them.
    """
    return limit * LIMIT_TIMES * sharing + LIMIT_PLUS


@dataclass(slots=True)
class Meter:
    """Adds up what a bot spends on one budget, over one or several requests.

    ``rivals``: the other seats of the match that were asked meanwhile.
    """

    limit: float
    spent: Spent = NO_TIME
    rivals: set[int] = field(default_factory=set)
    _started_at: float = 0.0
    _usage: Usage | None = None

    def start(self, now: float, usage: Usage | None) -> None:
        """The bot was asked; ``usage`` is what it had used before, None where unknown."""
        self._started_at = now
        self._usage = usage

    def read(self, now: float, usage: Usage | None) -> Spent:
        """What the budget has cost so far, were the bot to answer now."""
        wall = max(0.0, now - self._started_at)
        if usage is None or self._usage is None:
            charged, cpu = wall, 0.0
        else:
            cpu = max(0.0, usage.cpu - self._usage.cpu)
            waited = max(0.0, usage.runnable_wait - self._usage.runnable_wait) + usage.late
            charged = max(cpu, wall - waited)
        return Spent(self.spent.charged + charged, self.spent.cpu + cpu, self.spent.wall + wall)

    def stop(self, now: float, usage: Usage | None) -> Spent:
        """The bot answered; what it spent stays on this budget."""
        self.spent = self.read(now, usage)
        return self.spent

    def exceeded(self, spent: Spent) -> bool:
        return spent.charged > self.limit

    def given_up(self, spent: Spent) -> bool:
        """Whether the machine was too busy for this bot."""
        return spent.wall > self._wall_cap()

    def next_check(self, spent: Spent) -> float:
        """Seconds from now until it is to be measured again; before, the limit cannot be exceeded by wall time."""
        due = min(self.limit - spent.charged, self._wall_cap() - spent.wall)
        if self._usage is not None:
            thought = spent.wall - self.spent.wall
            due = min(due, max(LEAST_INTERVAL, min(MOST_INTERVAL, thought * _INTERVAL_SHARE)))
        return max(0.0005, due)

    def _wall_cap(self) -> float:
        return wall_cap(self.limit, 1 + len(self.rivals))
