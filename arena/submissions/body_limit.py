"""Refuse request bodies that are far larger than any upload, before they fill the disk.

Django writes a whole body to disk before a view sees it. Up to ``MAX_BODY_BYTES`` this is intended, because the form
can then explain what is wrong with the file. A larger body gets a 413 response, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.platform.asgi import App, Message, Receive, Scope, Send

MAX_BODY_BYTES: Final = 64 * 1024 * 1024
# In both languages, because the reader's language is unknown before Django gets the request.
_TEXT: Final = (
    "This upload is far too large. A bot is a .py file of at most 1 MiB or a .zip of at most 8 MiB.\n"
    "上传内容过大。机器人应为不超过 1 MiB 的 .py 文件，或不超过 8 MiB 的 .zip。\n"
).encode()


@dataclass(frozen=True, slots=True)
class RefusalResponse:
    """The response, with status 413, to a request whose body is too large."""

    content_type: str
    body: bytes


_PLAIN: Final = RefusalResponse("text/plain; charset=utf-8", _TEXT)


class BodyLimit:
    """ASGI middleware that limits request bodies; a body without a declared length is truncated at the limit.

    ``refusals``: responses by path prefix, for clients that expect a different format.
    """

    def __init__(
        self, app: App, most: int = MAX_BODY_BYTES, refusals: Mapping[str, RefusalResponse] | None = None
    ) -> None:
        self._app, self._most, self._refusals = app, most, dict(refusals or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        refusal = next((found for start, found in self._refusals.items() if path.startswith(start)), _PLAIN)
        if _declared_length(scope) > self._most:
            await _refuse(send, refusal)
            return
        body = _CountedBody(receive, self._most)
        response = _ResponseTracker(send)
        await self._app(scope, body.receive, response.send)
        if body.is_too_long and not response.started:
            await _refuse(send, refusal)


class _CountedBody:
    """A body whose bytes are counted; beyond the limit, it ends as if the client had disconnected."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    @property
    def is_too_long(self) -> bool:
        return self._left < 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.is_too_long else message


class _ResponseTracker:
    """A wrapper of ``send`` that records whether the application has started its response."""

    def __init__(self, send: Send) -> None:
        self._send, self.started = send, False

    async def send(self, message: Message) -> None:
        self.started = True
        await self._send(message)


def _declared_length(scope: Scope) -> int:
    """Return the request's Content-Length; 0 if it is missing or invalid."""
    values = [value for name, value in scope.get("headers", ()) if name == b"content-length"]
    return int(values[0]) if values and values[0].isdigit() else 0


async def _refuse(send: Send, refusal: RefusalResponse) -> None:
    headers = [
        (b"content-type", refusal.content_type.encode()),
        (b"content-length", str(len(refusal.body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": refusal.body})
