"""Where events are kept and sent on: a capped Redis stream and a channel for each topic.

Invariants:

- An event is appended and published in one step or not at all. Its number is the stream's id, so Redis refuses
  a number that is not above the last: of two writers the one with the lower numbers, the stale one, is silenced.
- An event that must follow another is refused while that one is missing: a stream never hides a loss.
- What is published is what is kept: the number, a space, and the text frame that browsers receive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# A topic nobody wrote to for a day is over.
EXPIRE_SECONDS = 24 * 3600
# Enough for the longest match (2,000 rounds); the snapshot of a running match is read from here.
MAX_EVENTS = 4000

# KEYS: the topic. ARGV: number, text, the number it follows or "", how many are kept, EXPIRE_SECONDS.
# Returns {done, last number before}.
_APPEND = """
local last = 0
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if newest[1] then last = tonumber(string.match(newest[1][1], '^%d+')) end
if tonumber(ARGV[1]) <= last or (ARGV[3] ~= '' and last < tonumber(ARGV[3])) then return {0, last} end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], ARGV[1] .. '-0', 'd', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('PUBLISH', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])
return {1, last}
"""


@dataclass(frozen=True, slots=True)
class Appended:
    """Whether an event was taken, and the number of the one before it (0: the topic was empty)."""

    done: bool
    last: int


@dataclass(frozen=True, slots=True)
class Frame:
    """A numbered event as the text that browsers receive."""

    seq: int
    text: str


class Store(Protocol):
    """Keeps the events of topics. Raises OSError or redis.RedisError when it cannot be reached."""

    def append(self, topic: str, frame: Frame, *, follows: int | None = None, keep: int = MAX_EVENTS) -> Appended:
        """Add an event; about ``keep`` of the topic's newest ones stay."""
        ...

    def after(self, topic: str, seq: int) -> tuple[list[Frame], int | None]:
        """The kept events numbered above ``seq``, and the number of the oldest one kept at all."""
        ...


def key(topic: str) -> str:
    """The name of a topic's stream and channel."""
    return f"live:{topic}"


class RedisStore:
    """The store of the running site: one pooled connection a process, safe across forks."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            decode_responses=True,
            retry=Retry(NoBackoff(), 1),  # a pooled connection may have died with a former broker
            socket_timeout=2,
            socket_connect_timeout=2,
            health_check_interval=25,
        )
        self._append = self._redis.register_script(_APPEND)

    def append(self, topic: str, frame: Frame, *, follows: int | None = None, keep: int = MAX_EVENTS) -> Appended:
        arguments: list[str | int] = [
            frame.seq,
            frame.text,
            "" if follows is None else follows,
            keep,
            EXPIRE_SECONDS,
        ]
        done, last = self._append(keys=[key(topic)], args=arguments)
        return Appended(bool(done), int(last))

    def after(self, topic: str, seq: int) -> tuple[list[Frame], int | None]:
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.xrange(key(topic), "-", "+", count=1)
            pipeline.xrange(key(topic), f"({seq}", "+")
            oldest, entries = pipeline.execute()
        return frames(entries), (number(oldest[0][0]) if oldest else None)

    def close(self) -> None:
        self._redis.close()


def number(identifier: str) -> int:
    """The event number of a stream id."""
    return int(identifier.partition("-")[0])


def frames(entries: list[tuple[str, dict[str, str]]]) -> list[Frame]:
    """Stream entries as frames."""
    return [Frame(number(identifier), fields["d"]) for identifier, fields in entries]
