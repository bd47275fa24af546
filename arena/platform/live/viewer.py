"""Queue the frames of one connection between the hub and the socket.

Invariants: events leave in the order of their numbers, each once. Nobody waits for anybody: a frame goes straight to
the socket where that takes it at once, which costs half of waking a task for it; else into a bounded queue that the
viewer's own task empties. A viewer whose queue is full loses it for one ``resync`` frame, and gets nothing more: it
comes back with a fresh snapshot. While its permission is checked its events wait; if it is gone, they are dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from arena.platform.live.reorder_buffer import PATIENCE_SECONDS, ReorderBuffer
from arena.platform.live.revocation import Reader
from arena.platform.live.run_until_blocked import run_until_blocked
from arena.platform.live.store import Frame

RESYNC = '{"type":"resync"}'
PING = '{"type":"ping"}'


class Viewer:
    """One connection's frames; holds events back until it caught up with the stream, and those that come early.

    Its own task asks for them by ``next``. While that waits and nothing is queued, frames go the short way.
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

    def __init__(self, after: int, size: int, patience: float = PATIENCE_SECONDS, reader: Reader | None = None) -> None:
        self.reader = reader
        self.dismissed = False  # its permission is gone
        self._checks = 0  # of its permission, under way
        self._in_doubt: list[Frame] = []  # what came meanwhile
        self._order, self._size = ReorderBuffer(after, patience), size
        self._waits = False  # for an event that was overtaken
        self._held: list[Frame] | None = []
        self._frames: deque[str] = deque()
        self._filled = asyncio.Event()
        self._ended = False
        self._send: Callable[[str], Coroutine[Any, Any, None]] | None = None
        self._direct: Callable[[str], Coroutine[Any, Any, None]] | None = None  # set while nothing is queued or sent
        self._begun: Awaitable[None] | None = None  # what is left of a frame that the socket did not take at once

    def attach(self, send: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """From now on frames may go straight to ``send``, whenever the viewer's task has none in hand."""
        self._send = send

    def catch_up(self, kept: list[Frame]) -> None:
        """Queue what the stream kept, then what arrived since the viewer joined."""
        held, self._held = self._held or [], None
        now = asyncio.get_running_loop().time()
        for frame in (*kept, *held):
            self.offer(frame, now)

    def offer(self, frame: Frame, now: float) -> None:
        """Send or queue an event in its turn; one that was already taken is dropped. ``now``: by the loop's clock."""
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
        for each in self._order.take(frame, now):
            self.put(each.text)
        self._watch()

    def doubt(self) -> None:
        """Let events wait until ``trust`` or ``dismiss``: the permission is being checked."""
        self._checks += 1

    def trust(self) -> None:
        """The permission holds."""
        self._checks -= 1
        if not self._checks:
            frames, self._in_doubt = self._in_doubt, []
            now = asyncio.get_running_loop().time()
            for frame in frames:
                self.offer(frame, now)

    def dismiss(self) -> None:
        """The permission is gone: nothing more is sent, whatever waits."""
        self.dismissed = self._ended = True
        self._frames.clear()
        self._in_doubt.clear()
        self._wake()

    def _watch(self) -> None:
        """Wake up for early events whose waiting time ends."""
        if not self._waits and (due := self._order.due) is not None:
            self._waits = True
            asyncio.get_running_loop().call_at(due, self._go_on)

    def _go_on(self) -> None:
        self._waits = False
        for frame in self._order.overdue(asyncio.get_running_loop().time()):
            self.put(frame.text)
        self._watch()

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
        """Drop what is queued for one frame that tells the viewer to start from a snapshot; it is the last.

        ``within``: milliseconds, of which the viewer waits a share of its own choice.
        """
        if not self._ended:
            self._ended = True
            self._frames.clear()
            self._frames.append(f'{{"type":"resync","within":{within}}}' if within else RESYNC)
            self._wake()

    async def observe_seq(self, seq: int) -> None:
        """Wait, before it caught up, until an event numbered ``seq`` or above came, or a resync."""
        while self._held is not None and not self._ended and all(frame.seq < seq for frame in self._held):
            self._filled.clear()
            await self._filled.wait()

    async def next(self) -> str | None:
        """The next frame to send; None after the resync frame, and for a viewer that was dismissed.

        Raises what the socket raised on the short way.
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
