"""Route requests from programs to the operations, and write the responses.

Invariants: an operation responds with 200 and its body or with 400 and a message, and never redirects. An incomplete
request has no effect. Paths are case-insensitive and may have doubled or trailing slashes. All other requests go to the
site.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import RequestAborted

from arena.games.golden_point.rooms.identity import network_digest
from arena.games.golden_point.rooms.rest import bodies
from arena.games.golden_point.rooms.rest.documents import DOCUMENTS, document
from arena.games.golden_point.rooms.rest.operations import Operations, encode_body
from arena.games.golden_point.rooms.rest.parameters import Parameters
from arena.platform import client_address
from arena.platform.asgi import App, Receive, Scope, Send
from arena.platform.refusal import Refused

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 64 * 1024
TRY_IT = "/swagger"  # a page of the site; its path is matched like those of operations
TRY_IT_KEYS = ("swagger", "swagger/index.html")
FAILED = "The arena could not process this request. Nothing was changed; try again."
RETRY_AFTER_SECONDS = 1

Operation = Callable[[Parameters], Awaitable[dict[str, Any] | bytes]]


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    operation: Operation


@dataclass(frozen=True, slots=True)
class _Response:
    """A response to a program's request.

    ``retry_after``: seconds until a retry may succeed, 0 for no retry; ``code``: the refusal's code, which pages use.
    """

    status: int
    body: bytes
    retry_after: int = 0
    code: str = ""


class RestEndpoint:
    """The ASGI application for HTTP; ``site`` handles all other requests."""

    def __init__(self, operations: Operations, site: App) -> None:
        self._site = site
        self._routes = _routes(operations)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _route_key(scope["path"]) if _is_rest_path(scope["path"]) else ""
        route = self._routes.get(key)
        if route is None:
            await self._site({**scope, "path": TRY_IT} if key in TRY_IT_KEYS else scope, receive, send)
            return
        response = await _handle_request(route, scope, receive)
        if response is not None:
            await _send_response(send, response)


def _is_rest_path(path: str) -> bool:
    return path[:5].lower() == "/api/" or path[:8].lower() == "/swagger" or path.startswith("//")


def _route_key(path: str) -> str:
    return "/".join(part for part in path.lower().split("/") if part)


async def _handle_request(route: _Route, scope: Scope, receive: Receive) -> _Response | None:
    """Return the response; None if the client disconnected before sending the whole request."""
    try:
        body = await _read_body(receive)
        if body is None:
            return _refusal_response("The body is too long.")
        if scope["method"] != route.method:
            return _refusal_response(f"Use {route.method} here.")
        origin = network_digest(client_address.network_of_scope(scope))
        answer = await route.operation(Parameters(scope["query_string"], body, _content_type(scope), origin))
    except RequestAborted:
        return None
    except Refused as refused:
        return _refusal_response(refused.message, refused.retry_after, refused.code)
    except Exception:
        logger.exception("%s %s failed", scope["method"], scope["path"])
        return _refusal_response(FAILED, RETRY_AFTER_SECONDS)
    return _Response(200, answer if isinstance(answer, bytes) else encode_body(answer))


def _refusal_response(text: str, retry_after: int = 0, code: str = "") -> _Response:
    return _Response(400, encode_body(bodies.message(text)), retry_after, code)


async def _read_body(receive: Receive) -> bytes | None:
    """Read the whole body; None if it is larger than any valid request.

    Raises RequestAborted if the client disconnects first: the part that has arrived could be a valid, different pick.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(body)


async def _send_response(send: Send, answer: _Response) -> None:
    headers = [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(answer.body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if answer.retry_after:
        headers.append((b"retry-after", str(answer.retry_after).encode()))
    if answer.code:
        headers.append((b"refusal-code", answer.code.encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


def _content_type(scope: Scope) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"content-type"), "")


def _document_operation(language: str, *, aliases: bool) -> Operation:
    async def answer(parameters: Parameters) -> dict[str, Any]:
        return document(language, aliases=aliases)

    return answer


def _routes(operations: Operations) -> dict[str, _Route]:
    documents = {
        path: _Route("GET", _document_operation(language, aliases=aliases))
        for path, (language, aliases) in DOCUMENTS.items()
    }
    return documents | {
        "api/newuser": _Route("GET", operations.new_user),
        "api/user": _Route("GET", operations.user),
        "api/nickname": _Route("POST", operations.nick_name),
        "api/newroom": _Route("GET", operations.new_room),
        "api/startgame": _Route("GET", operations.start_game),
        "api/state": _Route("GET", operations.state),
        "api/submit": _Route("POST", operations.submit),
        "api/todaygoldenlist": _Route("GET", operations.today_golden_list),
        "api/todaynumbers": _Route("GET", operations.today_numbers),
        "api/todayscore": _Route("GET", operations.today_score),
        "api/history": _Route("GET", operations.history),
    }
