"""A test client for the REST interface of rooms, and a clock that the tests control."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlencode

from asgiref.sync import async_to_sync, sync_to_async

from arena.games.golden_point.rooms.polling.room_cache import SUBMIT_WAIT_SECONDS, JobRunner, RoomCache
from arena.games.golden_point.rooms.polling.throttle import MemoryThrottle
from arena.games.golden_point.rooms.rest.endpoint import RestEndpoint
from arena.games.golden_point.rooms.rest.operations import Operations
from arena.platform.asgi import Receive, Scope, Send

T = TypeVar("T")
Answer = tuple[int, Any]

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that advances only on request."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def run_on_test_connection(job: Callable[[], T], /) -> Awaitable[T]:
    """Run a job with the test's own database connection; return an awaitable of its result."""
    return sync_to_async(job, thread_sensitive=True)()


class Program:
    """A program that sends requests to one web process from ``address``.

    Each call returns the status and the parsed JSON; ``headers`` are those of the last response.
    """

    def __init__(
        self,
        clock: Clock,
        run: JobRunner = run_on_test_connection,
        submit_wait_seconds: float = SUBMIT_WAIT_SECONDS,
        ids_a_minute: int = 0,
    ) -> None:
        self.clock = clock
        self.address = "192.0.2.1"
        self.headers: dict[bytes, bytes] = {}
        self.cache = RoomCache(run, clock, submit_wait_seconds=submit_wait_seconds)
        self.passed_on: list[str] = []  # paths that were passed on to the site
        self._endpoint = RestEndpoint(
            Operations(self.cache, run_on_test_connection, clock, MemoryThrottle(ids_a_minute)), self._site
        )

    def get(self, path: str, **parameters: object) -> Answer:
        return self.call("GET", path, urlencode(parameters))

    def post(self, path: str, **parameters: object) -> Answer:
        return self.call("POST", path, urlencode(parameters))

    def call(self, method: str, path: str, query: str = "", body: bytes = b"", content_type: str = "") -> Answer:
        return async_to_sync(self.send)(method, path, query, body, content_type)

    async def send(self, method: str, path: str, query: str = "", body: bytes = b"", content_type: str = "") -> Answer:
        messages = [{"type": "http.request", "body": body, "more_body": False}]
        sent = await self._exchange(method, path, query, content_type, messages)
        assert sent[0]["headers"][0] == (b"content-type", b"application/json; charset=utf-8")
        self.headers = dict(sent[0]["headers"])
        return sent[0]["status"], json.loads(sent[1]["body"])

    def disconnect_after(self, method: str, path: str, part: bytes, content_type: str) -> list[Any]:
        """Send the first part of a body and then lose the connection; return the messages of the response."""
        messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": part, "more_body": True},
            {"type": "http.disconnect"},
        ]
        return async_to_sync(self._exchange)(method, path, "", content_type, messages)

    async def _exchange(
        self, method: str, path: str, query: str, content_type: str, messages: list[dict[str, Any]]
    ) -> list[Any]:
        """Send the messages of a request; return those of the response."""
        left, sent = iter(messages), list[Any]()

        async def receive() -> dict[str, Any]:
            return next(left)

        async def keep(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(b"content-type", content_type.encode())] if content_type else [],
            "client": (self.address, 50000),
        }
        await self._endpoint(scope, receive, keep)
        return sent

    def get_ok(self, path: str, **parameters: object) -> Any:
        """Send a GET request that must succeed, and return the body of the response."""
        status, body = self.get(path, **parameters)
        assert status == 200, body
        return body

    def refusal_message(self, answer: Answer) -> str:
        """Return the message of a refusal, and check that the body holds nothing else."""
        status, body = answer
        assert status == 400
        assert list(body) == ["message"]
        return str(body["message"])

    def refresh(self) -> float:
        """Make the process close due rounds; return the seconds until it should check again."""
        return async_to_sync(self.cache.refresh)()

    # --- what most tests do

    def player(self, name: str = "") -> str:
        return str(self.get_ok("/api/NewUser", nickName=name)["userId"])

    def room(self, **parameters: object) -> int:
        return int(self.get_ok("/api/NewRoom", **parameters)["roomId"])

    def round(self, room: int) -> str:
        return str(self.get_ok("/api/State", roomid=room)["roundId"])

    def submit(self, uid: str, room: int, n1: object, n2: object = "", **more: object) -> Answer:
        return self.post("/api/Submit", **{"uid": uid, "rid": self.round(room), "n1": n1, "n2": n2, **more})

    async def _site(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.passed_on.append(scope["path"])
        headers = [(b"content-type", b"application/json; charset=utf-8")]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": b"{}"})
