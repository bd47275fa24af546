"""Wakes the worker that plays a duel when its person has answered.

Invariant: a bell says that it is time to look, nothing more. Where the broker is away or lost the ring, whoever waits
looks all the same when the wait is over.
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


class Bell(Protocol):
    """The bell of one duel."""

    def wait(self, seconds: float) -> None:
        """Until it rings, at most so long."""

    def close(self) -> None: ...


def ring(match_id: int) -> None:
    """Never fails its caller."""
    client = _client()
    if client is None:
        return
    try:
        client.publish(_name(match_id), "")
    except (RedisError, OSError) as error:
        logger.warning("duel %s was not rung for: %s", match_id, error)


def bell_of(match_id: int) -> Bell:
    client = _client()
    return _Patience() if client is None else _RedisBell(client, match_id)


def _name(match_id: int) -> str:
    return f"duels:{match_id}"


def _client() -> Redis | None:
    """This process's client; None where no broker is configured."""
    url = settings.REDIS_URL
    if url and url not in _clients:
        _clients[url] = Redis.from_url(url, retry=Retry(NoBackoff(), 1), socket_timeout=5, socket_connect_timeout=2)
    return _clients.get(url)


class _Patience:
    """A bell that never rings: waiting for it only takes its time."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def wait(self, seconds: float) -> None:
        self._ended.wait(seconds)

    def close(self) -> None:
        self._ended.set()


class _RedisBell:
    def __init__(self, client: Redis, match_id: int) -> None:
        self._client, self._match_id = client, match_id
        self._patience = _Patience()
        self._heard: Any = None  # a redis.client.PubSub

    def wait(self, seconds: float) -> None:
        try:
            if self._heard is None:
                self._heard = self._client.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
                self._heard.subscribe(_name(self._match_id))
            self._heard.get_message(timeout=seconds)
        except (RedisError, OSError) as error:
            logger.warning("duel %s waits without its bell: %s", self._match_id, error)
            self._drop()
            self._patience.wait(seconds)

    def close(self) -> None:
        self._patience.close()
        self._drop()

    def _drop(self) -> None:
        heard, self._heard = self._heard, None
        if heard is not None:
            heard.close()
