"""Reorder the events of a topic for one viewer: by number, each at most once.

Workers that tell of one topic side by side number their events in the database and send them after their commits, so
an event may come before the one that it follows.
"""

from __future__ import annotations

from typing import Final

from arena.platform.live.store import Frame

# How long an event waits for those below it. Overtaken ones came up to 50 ms late where thirty processes wanted two
# cores; only a worker that stood still for a second came later.
PATIENCE_SECONDS: Final = 0.5


class ReorderBuffer:
    """Holds back what comes early, for ``patience`` seconds at most, by the clock that is passed in.

    Whoever sees the gap that a lost event leaves starts over from a snapshot. What comes after it is too late, and
    dropped.
    """

    __slots__ = ("_early", "_last", "_patience")

    def __init__(self, last: int, patience: float) -> None:
        """``last``: the number of the event that the viewer has seen."""
        self._last, self._patience = last, patience
        self._early: dict[int, tuple[float, Frame]] = {}  # by number, with the moment when it waits no longer

    def take(self, frame: Frame, now: float) -> list[Frame]:
        """What may be sent now that ``frame`` came."""
        if frame.seq == self._last + 1:
            self._last = frame.seq
            return [frame, *self._following()] if self._early else [frame]
        if frame.seq > self._last:
            self._early.setdefault(frame.seq, (now + self._patience, frame))
        return []

    @property
    def due(self) -> float | None:
        """When something will have waited long enough; None where nothing waits."""
        return min(due for due, _ in self._early.values()) if self._early else None

    def overdue(self, now: float) -> list[Frame]:
        """What has waited long enough, with all that is below it and all that follows: it leaves a gap."""
        waited = [seq for seq, (due, _) in self._early.items() if due <= now]
        if not waited:
            return []
        below = sorted(seq for seq in self._early if seq <= max(waited))
        self._last = below[-1]
        return [*(self._early.pop(seq)[1] for seq in below), *self._following()]

    def _following(self) -> list[Frame]:
        """What waited for the last event alone."""
        found = []
        while (entry := self._early.pop(self._last + 1, None)) is not None:
            self._last += 1
            found.append(entry[1])
        return found
