"""Put the events of a topic in numerical order for one viewer, and pass on each at most once.

Workers that publish to one topic concurrently number their events in the database and send them after their commits, so
an event may arrive before its predecessor.
"""

from __future__ import annotations

from typing import Final

from arena.platform.live.store import EventFrame

# How long an event waits for lower numbers. With thirty processes on two cores, events arrived up to 50 ms late; only
# a worker that had stalled for a second exceeded that.
GAP_TIMEOUT_SECONDS: Final = 0.5


class ReorderBuffer:
    """A buffer that holds back events that overtook others, for at most ``timeout`` seconds by the clock passed to it.

    After that, a missing event is skipped: it is dropped if it arrives later, and a viewer that notices the gap
    restarts from a snapshot.
    """

    __slots__ = ("_early", "_last", "_timeout")

    def __init__(self, last: int, timeout: float) -> None:
        """Create an empty buffer. ``last``: the number of the last event that the viewer has seen."""
        self._last, self._timeout = last, timeout
        self._early: dict[int, tuple[float, EventFrame]] = {}  # frame number -> (deadline, frame)

    def add_frame(self, frame: EventFrame, now: float) -> list[EventFrame]:
        """Add a frame that has arrived; return the frames that may be sent now."""
        if frame.seq == self._last + 1:
            self._last = frame.seq
            return [frame, *self._take_following_frames()] if self._early else [frame]
        if frame.seq > self._last:
            self._early.setdefault(frame.seq, (now + self._timeout, frame))
        return []

    @property
    def next_due_at(self) -> float | None:
        """Return when the next frame will have waited long enough; None if no frame is waiting."""
        return min(due for due, _ in self._early.values()) if self._early else None

    def take_overdue_frames(self, now: float) -> list[EventFrame]:
        """Return the frames that have waited long enough, all earlier ones, and the frames that directly follow them.

        Frames that are still missing leave a gap.
        """
        waited = [seq for seq, (due, _) in self._early.items() if due <= now]
        if not waited:
            return []
        below = sorted(seq for seq in self._early if seq <= max(waited))
        self._last = below[-1]
        return [*(self._early.pop(seq)[1] for seq in below), *self._take_following_frames()]

    def _take_following_frames(self) -> list[EventFrame]:
        """Return the frames that directly follow the last event sent."""
        found = []
        while (entry := self._early.pop(self._last + 1, None)) is not None:
            self._last += 1
            found.append(entry[1])
        return found
