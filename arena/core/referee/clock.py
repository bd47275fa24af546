"""Time and waiting, injected so that tests do not have to sleep.

``Clock.wait`` is the only place where the referee blocks.
"""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Waitable(Protocol):
    """Something that can be waited for, such as a player that may have replied."""

    def fileno(self) -> int | None:
        """Return a descriptor that becomes readable when the reply arrives, or None to check immediately."""


WaitableT = TypeVar("WaitableT", bound=Waitable)


class Clock(Protocol):
    """A monotonic clock in seconds."""

    def now(self) -> float: ...

    def wait(self, for_any: Sequence[WaitableT], timeout: float) -> list[WaitableT]:
        """Return the waitables that may have a reply, after at most ``timeout`` seconds.

        Sleeps if there are no waitables.
        """


class SystemClock:
    """The system's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, for_any: Sequence[WaitableT], timeout: float) -> list[WaitableT]:
        waiting: dict[int, WaitableT] = {}
        at_once: list[WaitableT] = []
        for item in for_any:
            fileno = item.fileno()
            if fileno is None:
                at_once.append(item)
            else:
                waiting[fileno] = item
        if at_once:
            return at_once
        return [waiting[fileno] for fileno in _readable(list(waiting), max(0.0, timeout))]


def _readable(filenos: list[int], timeout: float) -> list[int]:
    if hasattr(select, "poll"):
        poll = select.poll()
        for fileno in filenos:
            poll.register(fileno, select.POLLIN)
        # rounded up: a wait must not end early
        return [fileno for fileno, _ in poll.poll(int(timeout * 1000) + 1)]
    if not filenos:  # Windows cannot select on an empty list
        time.sleep(timeout)
        return []
    return select.select(filenos, [], [], timeout)[0]


class FakeClock:
    """A clock that advances only during ``wait``, for ``testing.ScriptedPlayer`` and similar fakes.

    A waitable replies at the time in its attribute ``ready_at``, or immediately if it has no such attribute.
    """

    def __init__(self, start: float = 0.0) -> None:
        self.time = start
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, for_any: Sequence[WaitableT], timeout: float) -> list[WaitableT]:
        timeout = max(1e-6, timeout)  # rounding must not stop the clock
        end = self.time + timeout
        due = min((self._ready_at(item) for item in for_any), default=end)
        self.time = max(self.time, min(due, end))
        self.waits.append(timeout)
        return [item for item in for_any if self._ready_at(item) <= self.time]

    def _ready_at(self, item: Waitable) -> float:
        ready_at: float = getattr(item, "ready_at", self.time)
        return ready_at
