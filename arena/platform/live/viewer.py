"""Queue the frames of one connection between the hub and the WebSocket.

Invariants: events are sent in the order of their numbers, each exactly once. No viewer waits for another: a frame is
written directly if the socket accepts it at once, at half the cost of waking a task; otherwise it goes into a bounded
queue that the viewer's own task empties. If the queue is full, a single ``resync`` frame replaces its contents, and the
connection is closed; the viewer reconnects and continues from a fresh snapshot. During a permission check, events wait;
if permission has been lost, they are dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from arena.platform.live.reorder_buffer import GAP_TIMEOUT_SECONDS, ReorderBuffer
from arena.platform.live.revocation import Reader
from arena.platform.live.run_until_blocked import run_until_blocked
from arena.platform.live.store import EventFrame

RESYNC = '{"type":"resync"}'
PING = '{"type":"ping"}'


class Viewer:
    """One viewer's connection: queues and sends its frames.

    Until it has caught up with the stream, it holds back all events; after that, only those that arrive out of order.
    The connection's own task requests frames with ``next_frame``; while that call waits and nothing is queued, frames
    are written directly.
    """

    __slots__ = (
        "_begun",
        "_checks",
        "_direct",
        "_ended",
        "_filled",
        "_frames",
        "_held",
        "_in_doubt",
        "_order",
        "_send",
        "_size",
        "_waits",
        "dismissed",
        "reader",
    )

    def __init__(
        self, after: int, size: int, timeout: float = GAP_TIMEOUT_SECONDS, reader: Reader | None = None
    ) -> None:
        self.reader = reader
        self.dismissed = False  # the permission was lost
        self._checks = 0  # running permission checks
        self._in_doubt: list[EventFrame] = []  # events that arrived during a check
        self._order, self._size = ReorderBuffer(after, timeout), size
        self._waits = False  # whether it waits for an event that was overtaken
        self._held: list[EventFrame] | None = []
        self._frames: deque[str] = deque()
        self._filled = asyncio.Event()
        self._ended = False
        self._send: Callable[[str], Coroutine[Any, Any, None]] | None = None
        self._direct: Callable[[str], Coroutine[Any, Any, None]] | None = None  # set while nothing is queued or sent
        self._begun: Awaitable[None] | None = None  # the rest of a frame that the socket did not accept immediately

    def attach(self, send: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Allow frames to be written directly to ``send`` while the viewer's own task is not sending."""
        self._send = send

    def catch_up(self, kept: list[EventFrame]) -> None:
        """Send or queue ``kept``, the events of the stream, then the events that arrived since the viewer joined."""
        held, self._held = self._held or [], None
        now = asyncio.get_running_loop().time()
        for frame in (*kept, *held):
            self.offer(frame, now)

    def offer(self, frame: EventFrame, now: float) -> None:
        """Send or queue an event when its turn comes; drop it if it was already sent.

        ``now``: the time by the loop's clock.
        """
        if self._held is not None:
            self._held.append(frame)
            self._filled.set()
            return
        if self._checks:
            if len(self._in_doubt) >= self._size:
                self.resync()
            else:
                self._in_doubt.append(frame)
            return
        for each in self._order.add_frame(frame, now):
            self.put(each.text)
        self._schedule_overdue_frames()

    def hold_events(self) -> None:
        """Hold back events while the permission is being checked, until ``release_events`` or ``drop_events``."""
        self._checks += 1

    def release_events(self) -> None:
        """Release the events that were held back, once every running check has confirmed the permission."""
        self._checks -= 1
        if not self._checks:
            frames, self._in_doubt = self._in_doubt, []
            now = asyncio.get_running_loop().time()
            for frame in frames:
                self.offer(frame, now)

    def drop_events(self) -> None:
        """Drop all events and disconnect the viewer, who no longer has permission."""
        self.dismissed = self._ended = True
        self._frames.clear()
        self._in_doubt.clear()
        self._wake()

    def _schedule_overdue_frames(self) -> None:
        """Schedule a call that sends the next frames once they are overdue, unless one is already scheduled."""
        if not self._waits and (due := self._order.next_due_at) is not None:
            self._waits = True
            asyncio.get_running_loop().call_at(due, self._put_overdue_frames)

    def _put_overdue_frames(self) -> None:
        self._waits = False
        for frame in self._order.take_overdue_frames(asyncio.get_running_loop().time()):
            self.put(frame.text)
        self._schedule_overdue_frames()

    def put(self, text: str) -> None:
        if self._direct is not None:
            self._begun = run_until_blocked(self._direct(text))
            if self._begun is not None:
                self._wake()
        elif len(self._frames) >= self._size:
            self.resync()
        elif not self._ended:
            self._frames.append(text)
            self._wake()

    def resync(self, within: int = 0) -> None:
        """Replace the queue with a final frame that tells the viewer to restart from a snapshot.

        ``within``: milliseconds over which viewers spread their requests.
        """
        if not self._ended:
            self._ended = True
            self._frames.clear()
            self._frames.append(f'{{"type":"resync","within":{within}}}' if within else RESYNC)
            self._wake()

    async def observe_seq(self, seq: int) -> None:
        """Before catching up, wait for an event numbered ``seq`` or above, or for a resync."""
        while self._held is not None and not self._ended and all(frame.seq < seq for frame in self._held):
            self._filled.clear()
            await self._filled.wait()

    async def next_frame(self) -> str | None:
        """Return the next frame to send; None after the resync frame, and after ``drop_events``.

        Raises any exception that the socket raised during a direct write.
        """
        while True:
            if self._begun is not None:
                begun, self._begun = self._begun, None
                await begun
            elif self._frames:
                return self._frames.popleft()
            elif self._ended:
                return None
            else:
                await self._wait()

    async def _wait(self) -> None:
        self._filled.clear()
        self._direct = self._send
        try:
            await self._filled.wait()
        finally:
            self._direct = None

    def _wake(self) -> None:
        self._direct = None
        self._filled.set()
