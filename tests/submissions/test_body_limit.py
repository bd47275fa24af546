from __future__ import annotations

import json
from typing import Any

import pytest

from arena.api.problems import Code
from arena.platform.asgi import App, Receive, Scope, Send
from arena.submissions.body_limit import MAX_BODY_BYTES, BodyLimit


async def reads_everything(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the whole body as Django does, giving up without a response if the client disconnects."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


content_types: list[bytes] = []  # of the responses so far


async def answer(
    chunks: list[bytes], *, declared: bytes | None = None, app: App | None = None, path: str = "/bots/new/"
) -> tuple[int, bytes]:
    sent: list[Any] = []
    left = list(chunks)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [] if declared is None else [(b"content-length", declared)]
    app = app or BodyLimit(reads_everything, most=10)
    await app({"type": "http", "path": path, "headers": headers, "client": ("127.0.0.1", 1)}, receive, send)
    start, body = sent
    content_types.append(dict(start["headers"]).get(b"content-type", b""))
    return start["status"], body["body"]


@pytest.mark.parametrize("declared", [b"10", None, b"nonsense"])
async def test_body_within_the_limit_is_accepted(declared: bytes | None) -> None:
    assert await answer([b"12345", b"67890"], declared=declared) == (200, b"10")


async def test_body_with_excessive_content_length_is_not_read() -> None:
    status, text = await answer([], declared=b"11")
    assert status == 413
    assert b"far too large" in text


async def test_body_that_exceeds_the_limit_is_aborted() -> None:
    status, _ = await answer([b"12345", b"678901", b"never read"])
    assert status == 413


async def test_api_clients_get_problem_details() -> None:
    from arena.asgi import application

    declared = str(MAX_BODY_BYTES + 1).encode()
    status, body = await answer([], declared=declared, app=application, path="/api/v1/bots")
    assert status == 413
    assert content_types[-1] == b"application/problem+json"
    assert json.loads(body)["status"] == 413
    assert json.loads(body)["code"] == Code.TOO_LARGE
    status, body = await answer([], declared=declared, app=application)
    assert b"far too large" in body
