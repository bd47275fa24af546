"""Measure the latency of live events for many viewers, and compare it with that of a bare broadcast.

Two servers are compared: the hub behind uvicorn, and the plain ``websockets`` library, which broadcasts what it reads
from the same broker. All viewers of both servers remain connected. The servers take half-second turns. During its
turn, a server receives events of about 390 bytes, ten a second. Latency is measured from just before an event is
published until the viewer's process reads it.
"""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.process
import os
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.platform.supervisor.launcher import allow_many_sockets
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from bench.viewers import ViewersReport, ViewersTask, connected_viewers
from tests.broker import running_broker

SIZES = (500, 1000, 2000)
BLOCK, BLOCKS, EVENTS_A_SECOND = 5, 10, 10
EVENTS = BLOCK * BLOCKS
PADDING = "x" * 330
HUB, BARE = "hub", "bare"  # topics
TICK = os.sysconf("SC_CLK_TCK")
START_SECONDS = 60.0  # seconds for starting a server on a busy machine


def serve_hub(url: str, port: int) -> None:
    """Serve the site's live events: Channels, the hub, and uvicorn with the supervisor's flags."""
    import django
    from django.conf import settings

    settings.configure(SESSION_COOKIE_NAME="sessionid", REDIS_URL=url, INSTALLED_APPS=["django.contrib.sessions"])
    django.setup()
    import uvicorn
    from channels.routing import ProtocolTypeRouter, URLRouter

    from arena.platform.live.consumers import socket_urls
    from arena.platform.live.hub import Hub
    from arena.platform.live.source import RedisSource
    from arena.platform.live.topics import register

    register(HUB, lambda user, pk: True)
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
    """Run the baseline server: it subscribes once, and the ``websockets`` library broadcasts to all viewers."""
    import uvloop
    import websockets.asyncio.server as library
    from redis.asyncio import Redis

    from arena.platform.live.store import topic_key

    async def main() -> None:
        viewers: set[library.ServerConnection] = set()

        async def watch(connection: library.ServerConnection) -> None:
            viewers.add(connection)
            await connection.send('{"type":"ping"}')
            await connection.wait_closed()

        pubsub = Redis.from_url(url, decode_responses=True).pubsub()
        await pubsub.subscribe(topic_key(BARE))
        async with library.serve(watch, "127.0.0.1", port, compression=None, max_queue=1):
            async for message in pubsub.listen():
                if message["type"] == "message":
                    library.broadcast(viewers, message["data"].partition(" ")[2])

    allow_many_sockets()
    uvloop.run(main())


@dataclass(frozen=True, slots=True)
class ConnectedAudience:
    """A running server with connected viewers.

    ``after``: the number of the last event before the measurement; ``serving``: the server's process;
    ``report_queue``: receives the viewers' report.
    """

    topic: str
    after: int
    serving: multiprocessing.process.BaseProcess
    report_queue: multiprocessing.SimpleQueue[ViewersReport]

    def cpu_seconds(self) -> float:
        """Return the server's CPU time so far."""
        fields = Path(f"/proc/{self.serving.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def running_server(
    server: Callable[[str, int], None], url: str
) -> Iterator[tuple[multiprocessing.process.BaseProcess, int]]:
    """Run the server in its own process; yield the process and its port."""
    port = free_port()
    process = multiprocessing.get_context("spawn").Process(target=server, args=(url, port), daemon=True)
    process.start()
    wait_for_port(port)
    try:
        yield process, port
    finally:
        process.kill()
        process.join()


@contextmanager
def connected_audience(
    server: Callable[[str, int], None], topic: str, url: str, viewers: int
) -> Iterator[ConnectedAudience]:
    """Run one of the servers and connect viewers to it; yield the server with its audience."""
    seconds = 2 * EVENTS / EVENTS_A_SECOND + 10
    with running_server(server, url) as (process, port):
        after = next_event_number()
        task = ViewersTask(f"/ws/{topic}?after={after}", port, viewers, EVENTS, seconds)
        with connected_viewers(task) as report_queue:
            yield ConnectedAudience(topic, after, process, report_queue)


@dataclass(frozen=True, slots=True)
class DeliveryMeasurements:
    """The latencies in seconds, the lost events with their causes, and the server's CPU time per delivered event."""

    latencies: Sample
    failure: str
    cpu: Sample


def measure_delivery(url: str, viewers: int) -> dict[str, DeliveryMeasurements]:
    cpu = {HUB: 0.0, BARE: 0.0}
    with (
        connected_audience(serve_hub, HUB, url, viewers) as hub,
        connected_audience(serve_bare, BARE, url, viewers) as bare,
    ):
        for turn in range(BLOCKS):
            for each in (hub, bare) if turn % 2 else (bare, hub):
                before = each.cpu_seconds()
                publish(url, each.topic, each.after + 1 + turn * BLOCK)
                cpu[each.topic] += each.cpu_seconds() - before
        return {each.topic: _collect_measurements(each, viewers, cpu[each.topic]) for each in (hub, bare)}


def _collect_measurements(each: ConnectedAudience, viewers: int, cpu: float) -> DeliveryMeasurements:
    report = each.report_queue.get()
    return DeliveryMeasurements(Sample(tuple(report.latencies)), report.failure, Sample((cpu / (viewers * EVENTS),)))


def publish(url: str, topic: str, first: int) -> None:
    """Publish a block of events, numbered from ``first``."""
    from arena.platform.live.store import EventFrame, RedisStore

    store = RedisStore(url)
    for index in range(BLOCK):
        event = {"seq": first + index, "type": "turn", "at": time.monotonic(), "padding": PADDING}
        store.append(topic, EventFrame(first + index, json.dumps(event)))
        time.sleep(1 / EVENTS_A_SECOND)
    store.close()


def next_event_number() -> int:
    """Return an event number higher than any used in earlier measurements."""
    return time.time_ns() // 1000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the server did not start")


def run() -> Section:
    rows: list[Row] = []
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    remarks = ["the server's CPU time is a mean over all events; on a busy machine it is more reliable than a latency"]
    with running_broker() as broker:
        for viewers in SIZES:
            if hard != resource.RLIM_INFINITY and hard < viewers + 100:
                remarks.append(f"{viewers} viewers need more open files than {hard}")
                continue
            rows += _rows(viewers, measure_delivery(broker.url, viewers))
    return Section("live events, ten a second", tuple(rows), tuple(remarks))


def _rows(viewers: int, seen: dict[str, DeliveryMeasurements]) -> tuple[Row, Row]:
    hub, bare = seen[HUB], seen[BARE]
    baseline = "baseline: a bare broadcast"
    latency = Row(
        f"to {viewers:,} viewers, published to read",
        hub.latencies,
        (Comparison(baseline, bare.latencies),),
        Goal(1.5, GoalQuantity.RATIO),
        failure=hub.failure,
    )
    return latency, Row("  CPU time of the server per event and viewer", hub.cpu, (Comparison(baseline, bare.cpu),))
