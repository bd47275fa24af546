"""Wake the worker of a duel when the person has answered.

Invariant: a wake-up only makes the worker check for an answer earlier. If the broker is unavailable or has lost the
wake-up, the worker still checks when its wait ends.
"""

from __future__ import annotations

import logging
import threading
from typing import Any, Protocol

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

_clients: dict[str, Redis] = {}


class WakeChannel(Protocol):
    """The channel for the wake-ups of one duel's worker."""

    def wait(self, seconds: float) -> None:
        """Wait up to this long for a wake-up."""

    def close(self) -> None: ...


def wake_worker(match_id: int) -> None:
    """Send a wake-up to the worker of this match; a failure is logged and not raised."""
    client = _redis_client()
    if client is None:
        return
    try:
        client.publish(_channel_name(match_id), "")
    except (RedisError, OSError) as error:
        logger.warning("duel %s was not woken: %s", match_id, error)


def open_channel(match_id: int) -> WakeChannel:
    client = _redis_client()
    return _TimerChannel() if client is None else _RedisChannel(client, match_id)


def _channel_name(match_id: int) -> str:
    return f"duels:{match_id}"


def _redis_client() -> Redis | None:
    """Return this process's client; None if no broker is configured."""
    url = settings.REDIS_URL
    if url and url not in _clients:
        _clients[url] = Redis.from_url(url, retry=Retry(NoBackoff(), 1), socket_timeout=5, socket_connect_timeout=2)
    return _clients.get(url)


class _TimerChannel:
    """A channel without wake-ups: every wait lasts until its timeout."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def wait(self, seconds: float) -> None:
        self._ended.wait(seconds)

    def close(self) -> None:
        self._ended.set()


class _RedisChannel:
    def __init__(self, client: Redis, match_id: int) -> None:
        self._client, self._match_id = client, match_id
        self._timer = _TimerChannel()
        self._subscription: Any = None  # a redis.client.PubSub

    def wait(self, seconds: float) -> None:
        try:
            if self._subscription is None:
                self._subscription = self._client.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
                self._subscription.subscribe(_channel_name(self._match_id))
            self._subscription.get_message(timeout=seconds)
        except (RedisError, OSError) as error:
            logger.warning("duel %s is polled, because wake-ups are unavailable: %s", self._match_id, error)
            self._close_subscription()
            self._timer.wait(seconds)

    def close(self) -> None:
        self._timer.close()
        self._close_subscription()

    def _close_subscription(self) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()
