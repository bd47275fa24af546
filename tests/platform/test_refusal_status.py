"""Refusals are sent to the site's own scripts with status 200, and to API clients with their real status."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from arena.platform.refusal_status import RefusalStatusMiddleware


def _answer(status: int, headers: list[tuple[bytes, bytes]]) -> list[Any]:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"refusal-code", b"removed"), (b"Cache-Control", b"max-age=60")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"why"})

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(RefusalStatusMiddleware(app)({"type": "http", "headers": headers}, receive, send))
    return sent


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 429])
def test_script_receives_the_real_status_in_a_header(status: int) -> None:
    start, body = _answer(status, [(b"accept", b"*/*"), (b"quiet-refusals", b"1")])
    headers = dict(start["headers"])
    assert (start["status"], headers[b"refused-status"]) == (200, str(status).encode())
    assert headers[b"refusal-code"] == b"removed"
    assert (headers[b"cache-control"], len(start["headers"])) == (b"no-store", 3)
    assert body["body"] == b"why"


@pytest.mark.parametrize("status", [200, 302, 304, 500, 503])
def test_other_responses_are_unchanged(status: int) -> None:
    start, _ = _answer(status, [(b"quiet-refusals", b"1")])
    assert start["status"] == status
    assert b"refused-status" not in dict(start["headers"])


def test_api_clients_receive_the_real_status() -> None:
    start, _ = _answer(404, [])
    assert start["status"] == 404
    assert b"refused-status" not in dict(start["headers"])
