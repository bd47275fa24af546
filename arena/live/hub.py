"""Fans the events of topics out to this process's viewers.

Invariants:

- One subscription per process and topic, whatever the number of viewers; an event is decoded once.
- Nobody waits for anybody: a frame goes straight to a viewer's socket where that takes it at once, which costs half
  of waking a task for it; else into a bounded queue that the viewer's own task empties. A viewer whose queue is full
  loses it for one ``resync`` frame, and gets nothing more: it comes back with a fresh snapshot.
- A viewer sees the numbers of its topic grow. It joins the channel first and reads the stream second, so nothing
  falls between the two.
- A stream that ends early proves nothing (the broker was killed, the events expired): whoever joins brings the
  number that the database knows, and a viewer whom the stream does not bring there gets a ``resync``.
- When the broker was lost, nobody knows what was missed: every viewer gets a ``resync``.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from arena.live.eager import begin
from arena.live.source import PROBE_SECONDS, Arrived, Source, Subscribed, Subscription
from arena.live.store import Frame
from arena.live.stream import reaches

logger = logging.getLogger(__name__)

RESYNC = '{"type":"resync"}'
PING = '{"type":"ping"}'
PING_SECONDS = 15.0
QUEUE_FRAMES = 256
JOIN_SECONDS = 5.0
AT_ONCE = 50  # viewers that are told of an event before the loop goes on
# What the loss of the broker raises.
LOST = (OSError, RedisError)


class BrokerAwayError(Exception):
    """The broker cannot be reached; the viewer may try again."""


class Viewer:
    """One connection's frames; holds events back until it caught up with the stream.

    Its own task asks for them by ``next``. While that waits and nothing is queued, frames go the short way.
    """

    __slots__ = ("_begun", "_direct", "_ended", "_filled", "_frames", "_held", "_last", "_send", "_size")

    def __init__(self, after: int, size: int) -> None:
        self._last, self._size = after, size
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
        for frame in (*kept, *held):
            self.offer(frame)

    def offer(self, frame: Frame) -> None:
        """Send or queue an event; one that was already taken is dropped."""
        if self._held is not None:
            self._held.append(frame)
        elif frame.seq > self._last:
            self._last = frame.seq
            self.put(frame.text)

    def put(self, text: str) -> None:
        if self._direct is not None:
            self._begun = begin(self._direct(text))
            if self._begun is not None:
                self._wake()
        elif len(self._frames) >= self._size:
            self.resync()
        elif not self._ended:
            self._frames.append(text)
            self._wake()

    def resync(self) -> None:
        """Drop what is queued for one frame that tells the viewer to start from a snapshot; it is the last."""
        if not self._ended:
            self._ended = True
            self._frames.clear()
            self._frames.append(RESYNC)
            self._wake()

    async def next(self) -> str | None:
        """The next frame to send; None after the resync frame. Raises what the socket raised on the short way."""
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


class _Audience:
    """The viewers of one topic."""

    def __init__(self, *, missed: bool) -> None:
        self.viewers: set[Viewer] = set()
        self.subscribed = asyncio.Event()
        self.missed = missed  # events may have been lost: everybody resyncs once the topic is subscribed


async def _tell(audience: _Audience, frame: Frame) -> None:
    """Offer an event to everybody who is there now; who comes meanwhile finds it in the stream.

    A few at a time: the loop writes to the sockets between them, so that the first viewers do not wait for the last
    ones, and does its other work.
    """
    viewers = list(audience.viewers)
    for first in range(0, len(viewers), AT_ONCE):
        for viewer in viewers[first : first + AT_ONCE]:
            viewer.offer(frame)
        await asyncio.sleep(0)


class Hub:
    """One per process; belongs to the event loop that first joins it."""

    def __init__(self, source: Source, *, queue_frames: int = QUEUE_FRAMES, retry_seconds: float = 0.5) -> None:
        self._source, self._queue_frames, self._retry_seconds = source, queue_frames, retry_seconds
        self._audiences: dict[str, _Audience] = {}
        self._subscription: Subscription | None = None
        self._away = False
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, topic: str, after: int, *, newest: int = 0) -> Viewer:
        """A viewer that gets every event above ``after``, or a resync where that is not possible.

        ``newest``: the number that the viewer has to reach, whatever the stream still holds.
        Raises BrokerAwayError when the broker does not answer within JOIN_SECONDS.
        """
        self._start()
        viewer = Viewer(after, self._queue_frames)
        audience = self._audiences.get(topic)
        if audience is None:
            audience = self._audiences[topic] = _Audience(missed=self._away)
            await self._tell(topic, subscribe=True)
        audience.viewers.add(viewer)
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                await audience.subscribed.wait()
                kept, oldest = await self._source.after(topic, after)
        except LOST as error:
            await self.leave(topic, viewer)
            raise BrokerAwayError(str(error)) from error
        reached = kept[-1].seq if kept else after
        if reaches(oldest, after) and reached >= newest:
            viewer.catch_up(kept)
        else:
            viewer.resync()
        return viewer

    async def leave(self, topic: str, viewer: Viewer) -> None:
        audience = self._audiences.get(topic)
        if audience is None:
            return
        audience.viewers.discard(viewer)
        if not audience.viewers:
            del self._audiences[topic]
            await self._tell(topic, subscribe=False)

    async def close(self) -> None:
        """End the hub's own tasks; viewers get nothing more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _start(self) -> None:
        if not self._tasks:
            self._tasks = [asyncio.create_task(work()) for work in (self._run, self._ping, self._probe)]

    async def _tell(self, topic: str, *, subscribe: bool) -> None:
        """Change the subscription; where there is none, the next one starts with every topic that has viewers."""
        subscription = self._subscription
        if subscription is None:
            return
        with suppress(*LOST):  # the listener notices the loss too
            await (subscription.subscribe(topic) if subscribe else subscription.unsubscribe(topic))

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except LOST as error:
                if not self._away:
                    logger.warning("live events stop until the broker is back: %s", error)
                self._away = True
                for audience in self._audiences.values():
                    audience.subscribed.clear()
                    audience.missed = True
            await asyncio.sleep(self._retry_seconds)

    async def _listen(self) -> None:
        subscription = await self._source.open()
        self._subscription = subscription
        try:
            for topic in list(self._audiences):
                await subscription.subscribe(topic)
            async for message in subscription.messages():
                await self._receive(message)
        finally:
            self._subscription = None
            with suppress(*LOST):
                await subscription.close()

    async def _receive(self, message: Subscribed | Arrived) -> None:
        self._away = False
        audience = self._audiences.get(message.topic)
        if audience is None:
            return
        if isinstance(message, Arrived):
            await _tell(audience, message.frame)
            return
        audience.subscribed.set()
        if audience.missed:
            audience.missed = False
            for viewer in audience.viewers:
                viewer.resync()

    async def _ping(self) -> None:
        """Let every browser see that its connection lives."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            for audience in self._audiences.values():
                for viewer in audience.viewers:
                    viewer.put(PING)

    async def _probe(self) -> None:
        """Ask the broker for a sign of life, so that the listener notices a silent loss."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            if self._subscription is not None:
                with suppress(*LOST):
                    await self._subscription.probe()
