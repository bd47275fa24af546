"""How much of a limit a bot has used, so that a busy machine never costs anybody a game.

Invariants: everything is measured from outside the bot. A bot is charged
``max(cpu, wall - runnable_wait)``: computing and sleeping count, waiting for a core does not, be it the bot that
waits or the referee that has its answer to take.
Behind it stands a hard cap on wall time, ``limit * 3 + 5`` seconds, against a bot that finds a
way to wait for free. Where nothing but wall time is known, wall time is charged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from arena.referee.events import NO_TIME, Spent

# The hard cap on wall time: so many times the limit and these seconds.
LIMIT_TIMES: Final = 3
LIMIT_PLUS: Final = 5


class Usage(Protocol):
    """Totals since the process started, in seconds; ``arena.sandbox`` has the real one."""

    @property
    def cpu(self) -> float: ...
    @property
    def runnable_wait(self) -> float: ...


def wall_cap(limit: float) -> float:
    """The wall time after which a bot loses whatever was charged."""
    return limit * LIMIT_TIMES + LIMIT_PLUS


@dataclass(slots=True)
class Meter:
    """Adds up what a bot spends on one budget, over one or several requests."""

    limit: float
    spent: Spent = NO_TIME
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
            waited = max(0.0, usage.runnable_wait - self._usage.runnable_wait)
            charged = max(cpu, wall - waited)
        return Spent(self.spent.charged + charged, self.spent.cpu + cpu, self.spent.wall + wall)

    def stop(self, now: float, usage: Usage | None) -> Spent:
        """The bot answered; what it spent stays on this budget."""
        self.spent = self.read(now, usage)
        return self.spent

    def exceeded(self, spent: Spent) -> bool:
        return spent.charged > self.limit or spent.wall > wall_cap(self.limit)

    def next_check(self, spent: Spent) -> float:
        """Seconds from now before which the limit cannot be exceeded by wall time."""
        return max(0.0005, min(self.limit - spent.charged, wall_cap(self.limit) - spent.wall))
