"""An in-memory broker for tests of publishers and viewers.

``with memory_broker() as broker:`` replaces this process's store; ``broker.events("matches/12")`` returns the published
events.
"""

from __future__ import annotations

import asyncio
import json
from bisect import insort
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from arena.platform.live import stream
from arena.platform.live.revocation import Revocation
from arena.platform.live.source import EventArrived, Message, TopicSubscribed
from arena.platform.live.store import MAX_EVENTS, AppendResult, EventFrame


class MemoryBroker:
    """A combined store and source that follows the same rules as the real ones.

    ``disconnect`` and ``reconnect`` simulate an outage.
    """

    def __init__(self) -> None:
        self._frames: dict[str, list[EventFrame]] = defaultdict(list)
        self._subscriptions: list[MemorySubscription] = []
        self.away = False
        self.reads = 0  # how often a stream was read

    # --- Interface for tests

    def events(self, topic: str) -> list[dict[str, Any]]:
        """Return every event of the topic, oldest first."""
        return [json.loads(frame.text) for frame in self._frames[topic]]

    @property
    def topics(self) -> list[str]:
        """Return the topics with events."""
        return sorted(topic for topic, frames in self._frames.items() if frames)

    def delete_events(self, topic: str, *, below: int | None = None) -> None:
        """Discard a topic's events, or only those numbered below ``below``."""
        self._frames[topic] = [frame for frame in self._frames[topic] if below is not None and frame.seq >= below]

    def disconnect(self) -> None:
        self.away = True
        for subscription in self._subscriptions:
            subscription.lose_connection()
        self._subscriptions.clear()

    def reconnect(self) -> None:
        self.away = False

    @property
    def subscriptions(self) -> list[set[str]]:
        """Return the topics of every open subscription, one set per subscription."""
        return [subscription.topics for subscription in self._subscriptions]

    # --- Store

    def append(
        self, topic: str, *frames: EventFrame, follows: int | None = None, counted: bool = False, keep: int = MAX_EVENTS
    ) -> AppendResult:
        self._check_available()
        kept = self._frames[topic]
        last = kept[-1].seq if kept else 0
        if follows is not None and last < follows:
            return AppendResult(False, last)
        first = frames[0].seq
        if first <= last and (not counted or first in (each.seq for each in kept)):
            return AppendResult(False, last)
        for frame in frames:
            insort(kept, frame, key=lambda each: each.seq)
        del kept[:-keep]
        for subscription in self._subscriptions:
            for frame in frames:
                subscription.deliver(topic, frame)
        return AppendResult(True, last)

    def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        self._check_available()
        self.reads += 1
        kept = self._frames[topic]
        return [frame for frame in kept if frame.seq > seq], (kept[0].seq if kept else None)

    def events_between(self, topic: str, first: int, last: int) -> list[EventFrame]:
        self._check_available()
        return [frame for frame in self._frames[topic] if first <= frame.seq <= last]

    def newest_events(self, topic: str, count: int) -> list[EventFrame]:
        self._check_available()
        return self._frames[topic][-count:]

    def broadcast(self, text: str) -> None:
        self._check_available()
        for subscription in self._subscriptions:
            subscription.deliver_revocation(text)

    def _check_available(self) -> None:
        if self.away:
            raise ConnectionError("the broker is unavailable")

    def source(self) -> MemorySource:
        """Return the hub's side of this broker."""
        return MemorySource(self)

    def open(self) -> MemorySubscription:
        self._check_available()
        subscription = MemorySubscription()
        self._subscriptions.append(subscription)
        return subscription


class MemorySubscription:
    """A subscription to the in-memory broker, opened by ``MemorySource.open``."""

    def __init__(self) -> None:
        self.topics: set[str] = set()
        self._messages: asyncio.Queue[Message | str | None] = asyncio.Queue()  # str: a revocation

    async def subscribe(self, topic: str) -> None:
        self.topics.add(topic)
        self._messages.put_nowait(TopicSubscribed(topic))

    async def unsubscribe(self, topic: str) -> None:
        self.topics.discard(topic)

    async def probe(self) -> None:
        return None

    async def messages(self) -> AsyncIterator[Message]:
        while (message := await self._messages.get()) is not None:
            yield Revocation.from_message(message) if isinstance(message, str) else message
        raise ConnectionError("the connection to the broker was lost")

    async def close(self) -> None:
        return None

    def deliver(self, topic: str, frame: EventFrame) -> None:
        if topic in self.topics:
            self._messages.put_nowait(EventArrived(topic, frame))

    def deliver_revocation(self, text: str) -> None:
        self._messages.put_nowait(text)

    def lose_connection(self) -> None:
        self._messages.put_nowait(None)


class MemorySource:
    """The hub's side of a ``MemoryBroker``."""

    def __init__(self, broker: MemoryBroker) -> None:
        self._broker = broker

    async def open(self) -> MemorySubscription:
        return self._broker.open()

    async def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        return self._broker.events_after(topic, seq)


@contextmanager
def memory_broker() -> Iterator[MemoryBroker]:
    """Yield a broker that this process publishes to and reads from."""
    broker = MemoryBroker()
    stream.use_store(broker)
    try:
        yield broker
    finally:
        stream.use_store(None)
