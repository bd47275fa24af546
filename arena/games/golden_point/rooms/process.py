"""What a web process starts for the rooms: its threads, its desk, and the time it keeps from start to end.

The server's lifespan events begin and end it, so rounds close from the first second on, with no request at all.
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
from arena.games.golden_point.rooms.polling.allowance import Allowance
from arena.games.golden_point.rooms.polling.desk import Desk
from arena.games.golden_point.rooms.rest.endpoint import RestEndpoint
from arena.games.golden_point.rooms.rest.operations import Operations
from arena.platform.asgi import App

logger = logging.getLogger(__name__)

T = TypeVar("T")


class ThreadRunner:
    """Runs jobs in threads of its own, each with its connection to the database."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def __call__(self, job: Callable[[], T], /) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._pool, _with_connection, job)

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _with_connection(job: Callable[[], T]) -> T:
    """The thread keeps its connection: opening one costs more than most jobs."""
    try:
        return job()
    except DatabaseError:
        connections.close_all()  # a connection that broke stays broken
        raise


class RoomsProcess:
    """The rooms of one web process: their REST interface, and the time of their rounds."""

    def __init__(self) -> None:
        self._desk_thread, self._reading = ThreadRunner("rooms-desk", 1), ThreadRunner("rooms-read", 2)
        self._desk = Desk(self._desk_thread, timezone.now)
        self._telling = ThreadPoolExecutor(1, thread_name_prefix="rooms-live")
        self._keeping: asyncio.Task[None] | None = None

    def http(self, site: App) -> App:
        ids = Allowance(settings.ROOM_IDS_A_MINUTE)
        return RestEndpoint(Operations(self._desk, self._reading, timezone.now, ids), site)

    async def start(self) -> None:
        broadcast.send_by(self._telling.submit)  # a broker that is silent delays no round
        self._keeping = asyncio.create_task(self._keep_time())

    async def stop(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        broadcast.send_by(None)
        self._telling.shutdown(wait=False, cancel_futures=True)
        self._desk_thread.stop()
        self._reading.stop()

    async def _keep_time(self) -> None:
        try:
            await self._desk_thread(lambda: services.open_always(timezone.now()))
        except Exception:
            logger.exception("rooms 0 and 1 could not be looked after; the sweep will")
        await self._desk.keep_time()
