"""How fast live events reach many viewers: the site's own sockets against a bare broadcast, in one run.

    make bench      or      python -m tests.bench.fanout 500 1000

Each number of viewers is measured with the hub behind uvicorn and with the plain ``websockets`` library, which
broadcasts what it reads from the same broker. Ten events a second of about 390 bytes; the latency runs from before
the event is published to when the viewer's process reads it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles

from arena.supervisor.launcher import allow_many_sockets
from tests.broker import running_broker

TOPIC = "bench"
EVENTS, EVENTS_A_SECOND = 100, 10
PADDING = "x" * 330
READY = b"ready"


def serve_hub(url: str, port: int) -> None:
    """The site's live part as it runs: Channels, hub, uvicorn with the supervisor's flags."""
    import django
    from django.conf import settings

    settings.configure(SESSION_COOKIE_NAME="sessionid", REDIS_URL=url, INSTALLED_APPS=["django.contrib.sessions"])
    django.setup()
    import uvicorn
    from channels.routing import ProtocolTypeRouter, URLRouter

    from arena.live.hub import Hub
    from arena.live.routing import socket_urls
    from arena.live.source import RedisSource
    from arena.live.topics import register

    register(TOPIC, lambda user, pk: True)
    allow_many_sockets()
    uvicorn.run(
        ProtocolTypeRouter({"websocket": URLRouter(socket_urls(Hub(RedisSource(url))))}),
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="critical",
    )


def serve_bare(url: str, port: int) -> None:
    """The least that can be done: one subscription, one broadcast of the library."""
    import uvloop
    import websockets.asyncio.server as library
    from redis.asyncio import Redis

    async def main() -> None:
        viewers: set[library.ServerConnection] = set()

        async def watch(connection: library.ServerConnection) -> None:
            viewers.add(connection)
            await connection.send('{"type":"ping"}')
            await connection.wait_closed()

        pubsub = Redis.from_url(url, decode_responses=True).pubsub()
        await pubsub.subscribe(f"live:{TOPIC}")
        async with library.serve(watch, "127.0.0.1", port, compression=None, max_queue=1):
            async for message in pubsub.listen():
                if message["type"] == "message":
                    library.broadcast(viewers, message["data"].partition(" ")[2])

    allow_many_sockets()
    uvloop.run(main())


class Viewer(asyncio.Protocol):
    """A WebSocket client that does as little as possible: finds the frames, notes when an event came."""

    def __init__(self, request: bytes, latencies: list[float]) -> None:
        self._request, self._latencies = request, latencies
        self._data = b""
        self._open = False
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self._request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._data += data
        if not self._open:
            head, blank, rest = self._data.partition(b"\r\n\r\n")
            if not blank:
                return
            assert b" 101 " in head, head
            self._open, self._data = True, rest
        while (frame := self._frame()) is not None:
            if frame.startswith(b'{"seq"'):
                self._latencies.append(now - json.loads(frame)["at"])
            elif not self.ready.done():
                self.ready.set_result(None)

    def _frame(self) -> bytes | None:
        """The payload of the next frame; servers do not mask and these are short."""
        data = self._data
        if len(data) < 4:
            return None
        length, start = data[1] & 0x7F, 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        if len(data) < start + length:
            return None
        self._data = data[start + length :]
        return data[start : start + length]


@dataclass(frozen=True, slots=True)
class Result:
    """Milliseconds, and how many of the events that were due did not come."""

    p50: float
    p99: float
    lost: int


def watch(port: int, viewers: int, answers: multiprocessing.SimpleQueue[object]) -> None:
    """The viewers' process: connects all of them, says so, and reports what they saw."""
    import uvloop

    async def main() -> None:
        latencies: list[float] = []
        request = (
            f"GET /ws/{TOPIC}?after={event_number()} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        loop = asyncio.get_running_loop()
        for _ in range(viewers):
            _, viewer = await loop.create_connection(lambda: Viewer(request, latencies), "127.0.0.1", port)
            await viewer.ready
        answers.put(READY)
        deadline = time.monotonic() + EVENTS / EVENTS_A_SECOND + 15
        while len(latencies) < viewers * EVENTS and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        answers.put(latencies)

    allow_many_sockets()
    uvloop.run(main())


def measure(server: Callable[[str, int], None], url: str, viewers: int) -> Result:
    context = multiprocessing.get_context("spawn")
    port = free_port()
    serving = context.Process(target=server, args=(url, port), daemon=True)
    serving.start()
    await_port(port)
    answers: multiprocessing.SimpleQueue[object] = context.SimpleQueue()
    watching = context.Process(target=watch, args=(port, viewers, answers), daemon=True)
    watching.start()
    assert answers.get() == READY
    publish_all(url)
    latencies = answers.get()
    assert isinstance(latencies, list)
    for process in (watching, serving):
        process.kill()
        process.join()
    milliseconds = [seconds * 1000 for seconds in latencies]
    return Result(median(milliseconds), quantiles(milliseconds, n=100)[98], viewers * EVENTS - len(latencies))


def publish_all(url: str) -> None:
    from arena.live.store import Frame, RedisStore

    store = RedisStore(url)
    first = event_number() + 1
    for index in range(EVENTS):
        event = {"seq": first + index, "type": "turn", "at": time.monotonic(), "padding": PADDING}
        store.append(TOPIC, Frame(first + index, json.dumps(event)))
        time.sleep(1 / EVENTS_A_SECOND)
    store.close()


def event_number() -> int:
    """Above whatever an earlier measurement sent."""
    return time.time_ns() // 1000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_port(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the server does not start")


def main(sizes: list[int]) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    print(f"{'viewers':>8}  {'':8} {'p50 ms':>8} {'p99 ms':>8} {'lost':>6}")
    with running_broker() as broker:
        for viewers in sizes:
            assert hard == resource.RLIM_INFINITY or hard > viewers + 100, "too few open files are allowed here"
            for name, server in (("bare", serve_bare), ("hub", serve_hub)):
                result = measure(server, broker.url, viewers)
                print(f"{viewers:>8}  {name:8} {result.p50:8.1f} {result.p99:8.1f} {result.lost:>6}", flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [500, 1000, 2000])
