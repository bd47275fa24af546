"""Send refusals to the site's own scripts with the status 200, because browsers log 4xx statuses as errors.

A request with the header ``Quiet-Refusals`` receives the status 200 instead of 400 to 499, and the real status in the
header ``Refused-Status``; static/js/site/requests.js handles these headers. The body and all other headers
are unchanged. Programs, which do not send ``Quiet-Refusals``, receive the real status.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.platform.asgi import App, Message, Receive, Scope, Send

ASKED: Final = b"quiet-refusals"
STATUS: Final = b"refused-status"
_CACHE: Final = b"cache-control"


class RefusalStatusMiddleware:
    """ASGI middleware that sends refusals with the status 200 to clients that ask for it; HTTP only."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_quietly(message: Message) -> None:
            await send(_replace_status(message))

        wanted = any(name == ASKED for name, _ in scope["headers"])
        await self._app(scope, receive, send_quietly if wanted else send)


def _replace_status(message: Message) -> Message:
    if message["type"] != "http.response.start" or not 400 <= message["status"] < 500:
        return message
    headers: Iterable[tuple[bytes, bytes]] = message.get("headers", ())
    kept = [(name, value) for name, value in headers if name.lower() != _CACHE]
    added = [(STATUS, str(message["status"]).encode()), (_CACHE, b"no-store")]
    return {**message, "status": 200, "headers": [*kept, *added]}
