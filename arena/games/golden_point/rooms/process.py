"""The rooms' service in each web process: its threads, the room cache and the loop that closes rounds.

The server's lifespan events start and stop it, so rounds close on time even before the first request.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.polling.room_cache import RoomCache
from arena.games.golden_point.rooms.polling.throttle import MemoryThrottle
from arena.games.golden_point.rooms.rest.endpoint import RestEndpoint
from arena.games.golden_point.rooms.rest.operations import Operations
from arena.platform.asgi import App

logger = logging.getLogger(__name__)

T = TypeVar("T")


class ThreadRunner:
    """A runner of jobs in its own threads, each with a database connection."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def __call__(self, job: Callable[[], T], /) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._pool, _run_with_connection, job)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _run_with_connection(job: Callable[[], T]) -> T:
    """Run a job and leave the thread's database connection open: opening one costs more than most jobs."""
    try:
        return job()
    except DatabaseError:
        connections.close_all()  # a broken connection does not recover
        raise


class RoomsProcess:
    """The rooms of one web process: their REST interface, and the timing of their rounds."""

    def __init__(self) -> None:
        self._cache_thread, self._reading = ThreadRunner("rooms-cache", 1), ThreadRunner("rooms-read", 2)
        self._cache = RoomCache(self._cache_thread, timezone.now)
        self._publishing = ThreadPoolExecutor(1, thread_name_prefix="rooms-live")
        self._loop: asyncio.Task[None] | None = None

    def http(self, site: App) -> App:
        """Return an app that handles the rooms' REST requests, and passes all other requests to ``site``."""
        ids = MemoryThrottle(settings.ROOM_IDS_A_MINUTE)
        return RestEndpoint(Operations(self._cache, self._reading, timezone.now, ids), site)

    async def start(self) -> None:
        broadcast.use_sender(self._publishing.submit)  # so that an unresponsive broker cannot delay a round
        self._loop = asyncio.create_task(self._run_forever())

    async def stop(self) -> None:
        if self._loop is not None:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop
        broadcast.use_sender(None)
        self._publishing.shutdown(wait=False, cancel_futures=True)
        self._cache_thread.stop()
        self._reading.stop()

    async def _run_forever(self) -> None:
        try:
            await self._cache_thread(lambda: services.ensure_permanent_rooms(timezone.now()))
        except Exception:
            logger.exception("rooms 0 and 1 could not be maintained; the sweep will do it")
        await self._cache.run_forever()
