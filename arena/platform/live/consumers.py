"""The WebSocket consumer: one browser's socket on one topic.

Invariants: permission is checked when the socket opens and again after a revocation; a socket whose visitor has lost
permission is closed; no event costs a database query; messages from browsers are ignored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import parse_cookie
from django.urls import path, re_path

from arena.platform.live.hub import BrokerUnavailableError, Hub
from arena.platform.live.permission import authorize
from arena.platform.live.topics import Access, Topic
from arena.platform.live.viewer import PING, Viewer

FORBIDDEN, UNKNOWN, RESYNC, TRY_AGAIN = 4403, 4404, 4409, 1013
_REFUSALS = {Access.FORBIDDEN: FORBIDDEN, Access.UNKNOWN: UNKNOWN}
# The largest event number accepted: JavaScript integers are exact up to here.
_MAX_EVENT_NUMBER = 2**53


class LiveConsumer(AsyncWebsocketConsumer):
    """A consumer that forwards the events of the topic in the URL; created with ``as_asgi(hub=...)``."""

    def __init__(self, *args: Any, hub: Hub, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hub = hub
        self._topic = ""
        self._viewer: Viewer | None = None
        self._sending: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        arguments = self.scope["url_route"]["kwargs"]
        topic = Topic(arguments["prefix"], arguments.get("id", 0))
        await self.accept()  # if rejected before it opens, a socket gets no close code that explains why
        revocations = self._hub.revocations
        authorization = await database_sync_to_async(authorize)(topic, _session_key(self.scope["headers"]))
        if authorization.access is not Access.GRANTED:
            await self.close(_REFUSALS[authorization.access])
            return
        self._topic = str(topic)
        try:
            self._viewer = await self._hub.join(
                self._topic,
                _last_seen_number(self.scope["query_string"]),
                newest=authorization.newest,
                reader=authorization.reader,
                revocations=revocations,
            )
        except BrokerUnavailableError:
            await self.close(TRY_AGAIN)
            return
        self._sending = asyncio.create_task(self._send_frames(self._viewer))

    async def disconnect(self, code: int) -> None:
        if self._sending is not None:
            self._sending.cancel()
        if self._viewer is not None:
            await self._hub.leave(self._topic, self._viewer)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Ignore all messages from browsers."""

    async def _send_frames(self, viewer: Viewer) -> None:
        def send(text: str) -> Coroutine[Any, Any, None]:
            sending: Coroutine[Any, Any, None] = self.base_send({"type": "websocket.send", "text": text})
            return sending

        try:
            await send(PING)  # the page is in state "live" from here on
            viewer.attach(send)
            while (text := await viewer.next_frame()) is not None:
                await send(text)
            await self.close(FORBIDDEN if viewer.dismissed else RESYNC)
        except OSError:
            return  # the browser has left, and its disconnect message will follow


def _session_key(headers: list[tuple[bytes, bytes]]) -> str | None:
    """Return the session key from the cookies.

    Parses cookies as Django does for pages: the standard library drops all of them if one is malformed.
    """
    cookies: dict[str, str] = {}
    for name, value in headers:
        if name == b"cookie":
            cookies |= parse_cookie(value.decode("latin-1"))
    return cookies.get(settings.SESSION_COOKIE_NAME)


def _last_seen_number(query: bytes) -> int:
    """Return the number of the last event that the browser has seen; 0 if it is invalid."""
    text = parse_qs(query.decode("latin-1")).get("after", ["0"])[0]
    return min(int(text), _MAX_EVENT_NUMBER) if text.isascii() and text.isdigit() and len(text) <= 16 else 0


def socket_urls(hub: Hub) -> list[Any]:
    """Return the WebSocket URLs: /ws/PREFIX/ID?after=N, and /ws/PREFIX for a topic without an id."""
    consumer: Any = LiveConsumer.as_asgi(hub=hub)
    return [
        path("ws/<slug:prefix>/<int:id>", consumer),
        path("ws/<slug:prefix>", consumer),
        re_path("", consumer, {"prefix": ""}),  # an unknown topic; without this route it would cause a server error
    ]
