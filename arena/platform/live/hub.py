"""Fan out topic events to this process's viewers.

Invariants:

- One subscription per process and topic, whatever the number of viewers; an event is decoded once.
- A viewer receives its topic's events in increasing order; an event that is only delayed causes no gap. Joining
  subscribes to the channel first and reads the stream second, so nothing is missed in between.
- The end of the stream may be incomplete (the broker was killed, the events expired), so a joining viewer passes the
  newest event number in the database. An event is sent after its commit, so it may still be in transit: a viewer that
  does not reach that number within moments gets a ``resync``.
- A revocation is applied by ``permission_rechecks`` to the affected viewers, and to viewers who joined while it arrived
  or before this process was listening.
- If the connection to the broker is lost, the missed events are unknown: every viewer gets a ``resync``, which
  contains the period over which viewers spread their snapshot requests. A message that cannot be processed, such as a
  revocation from a newer version of the site, has the same effect.
- No failure ends a task of the hub for good: failures are logged, and the task is restarted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from redis.exceptions import RedisError

from arena.platform.live.permission import Check, check
from arena.platform.live.permission_rechecks import PermissionRechecks
from arena.platform.live.reorder_buffer import GAP_TIMEOUT_SECONDS
from arena.platform.live.revocation import Reader, Revocation
from arena.platform.live.source import PROBE_SECONDS, EventArrived, EventSource, Message, Subscription
from arena.platform.live.stream import covers
from arena.platform.live.viewer import PING, Viewer

logger = logging.getLogger(__name__)

PING_SECONDS = 4.0  # browsers assume a lost connection after twice this silence: live/connection.js
QUEUE_FRAMES = 256
JOIN_SECONDS = 5.0
DELIVERY_SECONDS = 1.0  # maximum time from the commit that numbers an event to its arrival at the broker
SNAPSHOTS_A_SECOND = 400  # combined rate for all viewers of one topic
RECHECK_SECONDS = 15.0  # interval between checks of all viewers' permissions
AT_ONCE = 50  # viewers notified before yielding to the event loop
# Raised when the connection to the broker is lost.
LOST = (OSError, RedisError)


class BrokerUnavailableError(Exception):
    """Raised if the broker cannot be reached; the viewer may try again."""


class _Audience:
    """The viewers of one topic."""

    def __init__(self, *, missed: bool) -> None:
        self.viewers: set[Viewer] = set()
        self.subscribed = asyncio.Event()
        self.missed = missed  # events may have been lost: everybody resyncs once the topic is subscribed


async def _for_each_viewer(audience: _Audience, send: Callable[[Viewer], None]) -> None:
    """Call ``send`` for each current viewer; viewers who join in the meantime find the event in the stream.

    Works in small batches, between which the event loop writes to the sockets and does other work, so that the first
    viewers do not wait for the last.
    """
    viewers = list(audience.viewers)
    for first in range(0, len(viewers), AT_ONCE):
        for viewer in viewers[first : first + AT_ONCE]:
            send(viewer)
        await asyncio.sleep(0)


class Hub:
    """The hub of one process; it belongs to the event loop in which ``join`` is first called."""

    def __init__(
        self,
        source: EventSource,
        *,
        queue_frames: int = QUEUE_FRAMES,
        retry_seconds: float = 0.5,
        delivery_seconds: float = DELIVERY_SECONDS,
        gap_timeout_seconds: float = GAP_TIMEOUT_SECONDS,
        check: Check = check,
        recheck_seconds: float = RECHECK_SECONDS,
    ) -> None:
        self._source, self._queue_frames = source, queue_frames
        self._retry_seconds, self._delivery_seconds = retry_seconds, delivery_seconds
        self._gap_timeout_seconds = gap_timeout_seconds
        self._rechecks, self._recheck_seconds = PermissionRechecks(check, retry_seconds), recheck_seconds
        self.revocations = 0  # number of revocations that arrived or may have been missed
        self._audiences: dict[str, _Audience] = {}
        self._subscription: Subscription | None = None
        self._away = False
        self._tasks: list[asyncio.Task[None]] = []

    async def join(
        self, topic: str, after: int, *, newest: int = 0, reader: Reader | None = None, revocations: int = 0
    ) -> Viewer:
        """Return a viewer that gets every event numbered above ``after``, or a resync if that is impossible.

        ``newest``: number of the newest event, which the viewer must reach even if the stream does not contain it.
        ``reader``: the person whose permission is needed, None if the topic is public; ``revocations``: the hub's count
        of revocations before the permission was checked. Raises BrokerUnavailableError when the broker does not answer
        within JOIN_SECONDS.
        """
        self._start()
        viewer = Viewer(after, self._queue_frames, self._gap_timeout_seconds, reader)
        audience = self._audiences.get(topic)
        is_first = audience is None
        if audience is None:
            audience = self._audiences[topic] = _Audience(missed=self._away)
        audience.viewers.add(viewer)
        try:
            if is_first:
                await self._set_subscription(topic, subscribe=True)
            async with asyncio.timeout(JOIN_SECONDS):
                await audience.subscribed.wait()
                kept, oldest = await self._source.events_after(topic, after)
            if self.revocations != revocations:
                self._rechecks.hold_until_checked(topic, [viewer])
            reached = kept[-1].seq if kept else after
            if covers(oldest, after) and (reached >= newest or await self._wait_for_missing_event(viewer, newest)):
                viewer.catch_up(kept)
            else:
                viewer.resync()
        except LOST as error:
            await self.leave(topic, viewer)
            raise BrokerUnavailableError(str(error)) from error
        except BaseException:  # a defect, or the task was cancelled
            await self.leave(topic, viewer)
            raise
        return viewer

    async def _wait_for_missing_event(self, viewer: Viewer, newest: int) -> bool:
        """Wait briefly for event ``newest``, which is missing from the stream; return whether it was only delayed."""
        try:
            async with asyncio.timeout(self._delivery_seconds):
                await viewer.observe_seq(newest)
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
            await self._set_subscription(topic, subscribe=False)

    async def close(self) -> None:
        """Cancel the hub's own tasks; viewers receive no more events."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self._rechecks.close()

    def _start(self) -> None:
        if not self._tasks:
            works = (self._listen_until_lost, self._ping, self._probe, self._recheck_periodically)
            self._tasks = [asyncio.create_task(self._run_forever(work)) for work in works]

    async def _run_forever(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start the work again whenever it has ended or failed."""
        while True:
            try:
                await work()
            except Exception:
                logger.exception("a task of the hub failed; it is restarted")
            await asyncio.sleep(self._retry_seconds)

    async def _set_subscription(self, topic: str, *, subscribe: bool) -> None:
        """Subscribe to the topic or unsubscribe.

        Does nothing while there is no connection: the next connection subscribes to all topics that have viewers.
        """
        subscription = self._subscription
        if subscription is None:
            return
        with suppress(*LOST):  # the listener notices the loss, too
            await (subscription.subscribe(topic) if subscribe else subscription.unsubscribe(topic))

    async def _listen_until_lost(self) -> None:
        """Listen until the connection is lost or a message cannot be processed; all viewers then miss events."""
        try:
            await self._listen()
        except LOST as error:
            if not self._away:
                logger.warning("live events stop until the broker is back: %s", error)
        finally:
            self._away = True
            for audience in self._audiences.values():
                audience.subscribed.clear()
                audience.missed = True

    async def _listen(self) -> None:
        subscription = await self._source.open()
        self._subscription = subscription
        self.revocations += 1  # earlier revocations are unknown
        try:
            for topic in list(self._audiences):
                await subscription.subscribe(topic)
            async for message in subscription.messages():
                await self._receive(message)
        finally:
            self._subscription = None
            with suppress(*LOST):
                await subscription.close()

    async def _receive(self, message: Message) -> None:
        self._away = False
        if isinstance(message, Revocation):
            self.revocations += 1
            for topic, each in self._audiences.items():
                self._rechecks.apply_revocation(message, topic, each.viewers)
            return
        audience = self._audiences.get(message.topic)
        if audience is None:
            return
        if isinstance(message, EventArrived):
            frame = message.frame
            now = asyncio.get_running_loop().time()
            await _for_each_viewer(audience, lambda viewer: viewer.offer(frame, now))
            return
        audience.subscribed.set()
        if audience.missed:
            audience.missed = False
            within = 1000 * (len(audience.viewers) - 1) // SNAPSHOTS_A_SECOND
            for viewer in audience.viewers:
                viewer.resync(within)

    async def _recheck_periodically(self) -> None:
        """Check all permissions at intervals, because expired sessions and manual edits of rows cause no revocation."""
        while True:
            await asyncio.sleep(self._recheck_seconds)
            for topic, audience in list(self._audiences.items()):
                await self._rechecks.drop_refused_viewers(topic, audience.viewers)

    async def _ping(self) -> None:
        """Ping all browsers, so that they know the connection is alive."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            for audience in list(self._audiences.values()):
                await _for_each_viewer(audience, lambda viewer: viewer.put(PING))

    async def _probe(self) -> None:
        """Ping the broker, so that the listener notices a connection that was lost silently."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            if self._subscription is not None:
                with suppress(*LOST):
                    await self._subscription.probe()
