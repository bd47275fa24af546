"""The hub's source of events: a channel for each topic, and streams for viewers who reconnect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Protocol

from redis import asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from arena.platform.live.revocation import Revocation
from arena.platform.live.store import CONTROL, EventFrame, parse_events, queue_event_queries, topic_key

# The hub pings this often; silence for twice as long means a dead connection.
PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class TopicSubscribed:
    """A signal that every later event of the topic will arrive."""

    topic: str


@dataclass(frozen=True, slots=True)
class EventArrived:
    """A signal that an event of a topic has arrived."""

    topic: str
    frame: EventFrame


Message = TopicSubscribed | EventArrived | Revocation


class Subscription(Protocol):
    """One connection to the broker; once it is lost, every method raises OSError or redis.RedisError."""

    async def subscribe(self, topic: str) -> None: ...
    async def unsubscribe(self, topic: str) -> None: ...
    async def probe(self) -> None: ...
    def messages(self) -> AsyncIterator[Message]: ...
    async def close(self) -> None: ...


class EventSource(Protocol):
    """The hub's interface to the broker."""

    async def open(self) -> Subscription: ...

    async def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        """Return the stored events; see ``EventStore.events_after``."""
        ...


class RedisSubscription:
    """A pub/sub connection that reports its loss instead of reconnecting."""

    def __init__(self, pubsub: Any) -> None:
        self._pubsub = pubsub

    async def subscribe(self, topic: str) -> None:
        await self._pubsub.subscribe(topic_key(topic))

    async def unsubscribe(self, topic: str) -> None:
        await self._pubsub.unsubscribe(topic_key(topic))

    async def probe(self) -> None:
        await self._pubsub.ping()

    async def messages(self) -> AsyncIterator[Message]:
        start = len(CONTROL)
        while True:
            message = await self._pubsub.get_message(timeout=2 * PROBE_SECONDS + 1)
            if message is None:
                raise TimeoutError("the broker does not respond")
            topic = (message["channel"] or "")[start:]
            if message["type"] == "message" and not topic:
                yield Revocation.from_message(message["data"])
            elif message["type"] == "message":
                yield EventArrived(topic, EventFrame.parse(message["data"]))
            elif message["type"] == "subscribe" and topic:
                yield TopicSubscribed(topic)

    async def close(self) -> None:
        await self._pubsub.aclose()


class RedisSource:
    """A source that reads from the broker at ``url``."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Any = None

    async def open(self) -> RedisSubscription:
        pubsub = self._connection().pubsub()
        await pubsub.subscribe(CONTROL)  # so that the connection is never without a subscription
        return RedisSubscription(pubsub)

    async def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        async with self._connection().pipeline(transaction=True) as pipeline:
            queue_event_queries(pipeline, topic, seq)
            return parse_events(await pipeline.execute())

    def _connection(self) -> Any:
        # Created inside the running loop, not at import.
        if self._client is None:
            pool = redis.BlockingConnectionPool.from_url(
                self._url, decode_responses=True, protocol=2, retry=Retry(NoBackoff(), 0), max_connections=8, timeout=5
            )
            self._client = redis.Redis.from_pool(pool)
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
