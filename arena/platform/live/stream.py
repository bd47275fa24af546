"""Read a topic's events for snapshots and for viewers who reconnect.

Invariant: ``complete`` is false if the stream shows that events above the requested number are missing. A stream that
was lost, or whose old events were dropped, is recognized by its oldest number.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from redis.exceptions import RedisError

from arena.platform.live.store import EventFrame, EventStore, RedisStore

logger = logging.getLogger(__name__)

_stores: dict[str, EventStore] = {}


@dataclass(frozen=True, slots=True)
class Events:
    """The events as dicts, in order, each with its ``seq``."""

    list: list[dict[str, Any]]
    complete: bool


def current_store() -> EventStore | None:
    """Return this process's store; None if no broker is configured."""
    url = settings.REDIS_URL
    if not _stores and url:
        _stores["default"] = RedisStore(url)
    return _stores.get("default")


def use_store(replacement: EventStore | None) -> None:
    """Replace this process's store; None restores the configured one. For tests and tools."""
    _stores.clear()
    if replacement is not None:
        _stores["default"] = replacement


def covers(oldest: int | None, after: int) -> bool:
    """Return whether a stream whose oldest event is ``oldest`` contains everything that follows ``after``."""
    return oldest is None or oldest <= after + 1


def newest_events(topic: str, count: int) -> list[EventFrame]:
    """Return the last ``count`` events of ``topic``, oldest first; none if the broker is unreachable."""
    return _frames(topic, lambda source: source.newest_events(topic, count))


def events_between(topic: str, first: int, last: int) -> list[EventFrame]:
    """Return the events of ``topic`` numbered ``first`` to ``last``; none if the broker is unreachable."""
    return _frames(topic, lambda source: source.events_between(topic, first, last))


def _frames(topic: str, ask: Callable[[EventStore], list[EventFrame]]) -> list[EventFrame]:
    source = current_store()
    if source is None:
        return []
    try:
        return ask(source)
    except (RedisError, OSError) as error:
        logger.warning("events of %s cannot be read: %s", topic, error)
        return []


def read_events(topic: str, after: int) -> Events:
    """Return the events of ``topic`` numbered above ``after``; empty and incomplete without a broker."""
    source = current_store()
    if source is None:
        return Events([], complete=False)
    try:
        frames, oldest = source.events_after(topic, after)
    except (RedisError, OSError) as error:
        logger.warning("events of %s cannot be read: %s", topic, error)
        return Events([], complete=False)
    return Events([json.loads(frame.text) for frame in frames], covers(oldest, after))
