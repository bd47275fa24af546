"""A minimal ASGI application whose fixed response is as long as that of the real State endpoint.

The response describes a room that is waiting, so that the players of ``rooms`` keep polling.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

BODY = json.dumps({"userId": "0" * 36, "state": 1, "padding": "x" * 330}).encode()
HEADERS = [(b"content-type", b"application/json; charset=utf-8"), (b"content-length", str(len(BODY)).encode())]

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def application(scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": BODY})
