"""Store and forward events: a capped stream (a sorted set in Redis) and a channel for each topic.

Invariants:

- Events are appended and published in one step or not at all, and no number is used twice. The stream is ordered by
  number.
- A number that is not above the last one is refused: if a topic has two writers, this blocks the stale one. The
  exception is a missing number of a ``counted`` event: the database assigns each number once, so the event was merely
  overtaken.
- An event that must follow another is refused while the other is missing: a stream never hides a loss.
- The published text is the stored one: the number, a space, and the text frame that browsers receive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# A topic without events for a day is considered over.
EXPIRE_SECONDS = 24 * 3600
# Enough for the longest match (2000 rounds), because snapshots of running matches are read from the stream.
MAX_EVENTS = 4000

# KEYS: the topic. ARGV: the number that the topic must have reached, or ""; "1" to accept an event that was overtaken;
# the highest rank to drop; EXPIRE_SECONDS; then the number and the entry of each event. Returns {done, previous last
# number}.
_APPEND = """
local last = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or 0)
if ARGV[1] ~= '' and last < tonumber(ARGV[1]) then return {0, last} end
if tonumber(ARGV[5]) <= last then
  if ARGV[2] ~= '1' or redis.call('ZCOUNT', KEYS[1], ARGV[5], ARGV[5]) > 0 then return {0, last} end
end
for at = 5, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
for at = 6, #ARGV, 2 do redis.call('PUBLISH', KEYS[1], ARGV[at]) end
return {1, last}
"""


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The result of appending events: whether they were accepted, and the number of the preceding event.

    That number is 0 if the topic was empty.
    """

    done: bool
    last: int


@dataclass(frozen=True, slots=True)
class EventFrame:
    """A numbered event as the text that browsers receive."""

    seq: int
    text: str

    @classmethod
    def parse(cls, entry: str) -> EventFrame:
        """Parse a stored or published event."""
        seq, _, text = entry.partition(" ")
        return cls(int(seq), text)

    @property
    def entry(self) -> str:
        return f"{self.seq} {self.text}"


class EventStore(Protocol):
    """A store for the events of topics. Raises OSError or redis.RedisError if the store cannot be reached."""

    def append(
        self, topic: str, *frames: EventFrame, follows: int | None = None, counted: bool = False, keep: int = MAX_EVENTS
    ) -> AppendResult:
        """Append events with increasing numbers, all or none; keep the newest ``keep`` events of the topic.

        ``follows``: the number that the stream must already have reached, None for any; ``counted``: whether the
        database assigns the numbers, so that an overtaken event is accepted.
        """
        ...

    def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        """Return the stored events numbered above ``seq``, and the oldest stored number (None if nothing is stored)."""
        ...

    def events_between(self, topic: str, first: int, last: int) -> list[EventFrame]:
        """Return the stored events numbered ``first`` to ``last``."""
        ...

    def newest_events(self, topic: str, count: int) -> list[EventFrame]:
        """Return the last ``count`` events, oldest first."""
        ...

    def broadcast(self, text: str) -> None:
        """Send every hub a message that belongs to no topic, without storing it."""
        ...


def topic_key(topic: str) -> str:
    """Return the name of a topic's stream and channel."""
    return f"events:{topic}"


CONTROL = topic_key("")  # belongs to no topic; every hub listens to it


class RedisStore:
    """The store of a running site: one connection pool per process, safe across forks."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            decode_responses=True,
            retry=Retry(NoBackoff(), 1),  # a pooled connection may belong to a broker that has died
            socket_timeout=2,
            socket_connect_timeout=2,
            health_check_interval=25,
        )
        self._append = self._redis.register_script(_APPEND)

    def append(
        self, topic: str, *frames: EventFrame, follows: int | None = None, counted: bool = False, keep: int = MAX_EVENTS
    ) -> AppendResult:
        arguments: list[str | int] = ["" if follows is None else follows, int(counted), -1 - keep, EXPIRE_SECONDS]
        for frame in frames:
            arguments += (frame.seq, frame.entry)
        done, last = self._append(keys=[topic_key(topic)], args=arguments)
        return AppendResult(bool(done), int(last))

    def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        with self._redis.pipeline(transaction=True) as pipeline:
            queue_event_queries(pipeline, topic, seq)
            return parse_events(pipeline.execute())

    def events_between(self, topic: str, first: int, last: int) -> list[EventFrame]:
        return [EventFrame.parse(str(entry)) for entry in self._redis.zrangebyscore(topic_key(topic), first, last)]

    def newest_events(self, topic: str, count: int) -> list[EventFrame]:
        return [EventFrame.parse(str(entry)) for entry in self._redis.zrange(topic_key(topic), -count, -1)]

    def broadcast(self, text: str) -> None:
        self._redis.publish(CONTROL, text)

    def close(self) -> None:
        self._redis.close()


def queue_event_queries(pipeline: Any, topic: str, seq: int) -> None:
    """Add the two queries of ``EventStore.events_after`` to a pipeline; ``parse_events`` parses their results."""
    pipeline.zrange(topic_key(topic), 0, 0)
    pipeline.zrangebyscore(topic_key(topic), f"({seq}", "+inf")


def parse_events(answers: list[list[str]]) -> tuple[list[EventFrame], int | None]:
    oldest, entries = answers
    return list(map(EventFrame.parse, entries)), (EventFrame.parse(oldest[0]).seq if oldest else None)
