"""Fans the events of topics out to this process's viewers.

Invariants:

- One subscription per process and topic, whatever the number of viewers; an event is decoded once.
- A viewer sees the numbers of its topic grow, without a gap where an event was only overtaken. It joins the channel
  first and reads the stream second, so nothing falls between the two.
- A stream that ends early proves nothing (the broker was killed, the events expired): whoever joins brings the
  number that the database knows. An event is sent after its commit, so it may still be on its way: a viewer whom
  neither the stream nor the next moments bring there gets a ``resync``.
- When the broker was lost, nobody knows what was missed: every viewer gets a ``resync``, which says over how long
  they are to spread their questions.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from redis.exceptions import RedisError

from arena.live.in_order import PATIENCE_SECONDS
from arena.live.source import PROBE_SECONDS, Arrived, Source, Subscribed, Subscription
from arena.live.stream import reaches
from arena.live.viewer import PING, Viewer

logger = logging.getLogger(__name__)

PING_SECONDS = 4.0  # a browser takes twice as long a silence for a lost connection: live/connection.js
QUEUE_FRAMES = 256
JOIN_SECONDS = 5.0
ON_ITS_WAY_SECONDS = 1.0  # between the commit that numbers an event and the broker
SNAPSHOTS_A_SECOND = 400  # that the viewers of one topic ask for together
AT_ONCE = 50  # viewers that are told of an event before the loop goes on
# What the loss of the broker raises.
LOST = (OSError, RedisError)


class BrokerAwayError(Exception):
    """The broker cannot be reached; the viewer may try again."""


class _Audience:
    """The viewers of one topic."""

    def __init__(self, *, missed: bool) -> None:
        self.viewers: set[Viewer] = set()
        self.subscribed = asyncio.Event()
        self.missed = missed  # events may have been lost: everybody resyncs once the topic is subscribed


async def _each(audience: _Audience, tell: Callable[[Viewer], None]) -> None:
    """Tell everybody who is there now; who comes meanwhile finds an event in the stream.

    A few at a time: the loop writes to the sockets between them, so that the first viewers do not wait for the last
    ones, and does its other work.
    """
    viewers = list(audience.viewers)
    for first in range(0, len(viewers), AT_ONCE):
        for viewer in viewers[first : first + AT_ONCE]:
            tell(viewer)
        await asyncio.sleep(0)


class Hub:
    """One per process; belongs to the event loop that first joins it."""

    def __init__(
        self,
        source: Source,
        *,
        queue_frames: int = QUEUE_FRAMES,
        retry_seconds: float = 0.5,
        on_its_way_seconds: float = ON_ITS_WAY_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._source, self._queue_frames = source, queue_frames
        self._retry_seconds, self._on_its_way_seconds = retry_seconds, on_its_way_seconds
        self._patience_seconds = patience_seconds
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
        viewer = Viewer(after, self._queue_frames, self._patience_seconds)
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
        if reaches(oldest, after) and (reached >= newest or await self._comes(viewer, newest)):
            viewer.catch_up(kept)
        else:
            viewer.resync()
        return viewer

    async def _comes(self, viewer: Viewer, newest: int) -> bool:
        """Whether an event that the stream lacks was only on its way."""
        try:
            async with asyncio.timeout(self._on_its_way_seconds):
                await viewer.hears_of(newest)
        except TimeoutError:
            return False
        return True

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
            frame = message.frame
            now = asyncio.get_running_loop().time()
            await _each(audience, lambda viewer: viewer.offer(frame, now))
            return
        audience.subscribed.set()
        if audience.missed:
            audience.missed = False
            within = 1000 * (len(audience.viewers) - 1) // SNAPSHOTS_A_SECOND
            for viewer in audience.viewers:
                viewer.resync(within)

    async def _ping(self) -> None:
        """Let every browser see that its connection lives."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            for audience in list(self._audiences.values()):
                await _each(audience, lambda viewer: viewer.put(PING))

    async def _probe(self) -> None:
        """Ask the broker for a sign of life, so that the listener notices a silent loss."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            if self._subscription is not None:
                with suppress(*LOST):
                    await self._subscription.probe()
