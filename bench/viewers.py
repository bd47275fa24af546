"""Simulate many viewers of live events in a separate process, and record what each of them received and missed.

All viewers join before the first counted event. Unlike pages, they do not reconnect: missed events are lost, and are
reported with their causes.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from arena.platform.supervisor.launcher import allow_many_sockets

READY = "ready"
CLOSE, PING, PONG = 8, 9, 10  # opcodes
_NAMED = 3  # maximum number of viewers named in a report
_ATTEMPTS, _PAUSE = 20, 0.5  # join attempts, because pages retry too; seconds between attempts

# Returns the latency of a frame received at the given monotonic time; None if the frame is not measured.
Latency = Callable[[bytes, float], float | None]


def event_latency(frame: bytes, now: float) -> float | None:
    """Return the latency of an event sent by ``fanout.publish``; None for any other frame."""
    return now - float(json.loads(frame)["at"]) if frame.startswith(b'{"seq"') else None


@dataclass(frozen=True, slots=True)
class ViewersTask:
    """The task of a process that simulates viewers.

    ``viewers``: their number; ``events``: how many events each of them receives from ``path`` within ``seconds``.
    """

    path: str
    port: int
    viewers: int
    events: int
    seconds: float
    latency: Latency = event_latency


@dataclass(frozen=True, slots=True)
class ViewersReport:
    """The latencies in seconds, in order of arrival; ``failure``: lost events with their causes, or ""."""

    latencies: list[float]
    failure: str


class Viewer(asyncio.Protocol):
    """A minimal WebSocket client: parses the frames, and records the latency of events.

    ``ready`` is set on the server's first message; from then on, the server sends every event.
    """

    def __init__(self, request: bytes, latency: Latency, latencies: list[float]) -> None:
        self._request, self._latency, self._latencies = request, latency, latencies
        self._data = b""
        self._open = False
        self.events = 0
        self.troubles: list[str] = []
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._data += data
        if not self._open:
            head, blank, rest = self._data.partition(b"\r\n\r\n")
            if not blank:
                return
            assert b" 101 " in head, head
            self._open, self._data = True, rest
        while (found := self._read_frame()) is not None:
            self._handle_frame(*found, now)

    def connection_lost(self, error: Exception | None) -> None:
        self.troubles.append(f"lost its connection ({error or 'the server ended it'})")
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("the server refused a viewer"))

    def _handle_frame(self, opcode: int, frame: bytes, now: float) -> None:
        if opcode == PING:  # unanswered pings mean a dead connection; a mask of zeros changes nothing
            self._transport.write(bytes((0x80 | PONG, 0x80 | len(frame), 0, 0, 0, 0)) + frame)
        elif opcode == CLOSE:
            self.troubles.append(f"was disconnected with code {int.from_bytes(frame[:2], 'big')}")
        elif frame.startswith(b'{"type":"resync"'):
            self.troubles.append(f"was told to start over after {self.events} events")
        elif (took := self._latency(frame, now)) is not None:
            self._latencies.append(took)
            self.events += 1
        elif not self.ready.done():
            self.ready.set_result(None)

    def _read_frame(self) -> tuple[int, bytes] | None:
        """Return the next frame's opcode and payload, or None if it is incomplete; frames are short and not masked."""
        data = self._data
        if len(data) < 4:
            return None
        length, start = data[1] & 0x7F, 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        if len(data) < start + length:
            return None
        self._data = data[start + length :]
        return data[0] & 0x0F, data[start : start + length]


def describe_lost_events(viewers: Sequence[Viewer], events: int) -> str:
    """Describe how many events were lost in total, and list the first affected viewers with the causes."""
    losers = [(place, each) for place, each in enumerate(viewers, start=1) if each.events < events]
    if not losers:
        return ""
    lost = sum(events - each.events for _, each in losers)
    named = [
        f"viewer {place} of {len(viewers)} saw {each.events} of {events}: "
        + (", ".join(each.troubles) or "its connection is open")
        for place, each in losers[:_NAMED]
    ]
    more = [f"and {len(losers) - _NAMED} viewers more"] if len(losers) > _NAMED else []
    return "; ".join((f"{lost} lost", *named, *more))


async def _connect_viewer(task: ViewersTask, request: bytes, latencies: list[float], place: int) -> Viewer:
    """Connect viewer number ``place``; return the viewer once the server has accepted it. Raises ConnectionError."""
    loop = asyncio.get_running_loop()
    trouble = ""
    for _ in range(_ATTEMPTS):
        viewer = Viewer(request, task.latency, latencies)
        try:
            await loop.create_connection(lambda made=viewer: made, "127.0.0.1", task.port)  # type: ignore[misc]
            await viewer.ready
        except OSError as error:
            trouble = ", ".join(viewer.troubles) or str(error)
            await asyncio.sleep(_PAUSE)
        else:
            return viewer
    raise ConnectionError(f"viewer {place} of {task.viewers} cannot join: it {trouble}")


def run_viewers(task: ViewersTask, answers: multiprocessing.SimpleQueue[object]) -> None:
    """Simulate the viewers in this process: connect them, signal that they are ready, and report what they received."""
    import uvloop

    async def main() -> None:
        latencies: list[float] = []
        viewers: list[Viewer] = []
        request = (
            f"GET {task.path} HTTP/1.1\r\nHost: 127.0.0.1:{task.port}\r\n"
            f"Origin: http://127.0.0.1:{task.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        for place in range(1, task.viewers + 1):
            viewers.append(await _connect_viewer(task, request, latencies, place))
        answers.put(READY)
        deadline = time.monotonic() + task.seconds
        while len(latencies) < task.viewers * task.events and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        answers.put(ViewersReport(latencies, describe_lost_events(viewers, task.events)))

    allow_many_sockets()
    try:
        uvloop.run(main())
    except BaseException as error:
        answers.put(f"{type(error).__name__}: {error}")
        raise


@contextmanager
def connected_viewers(task: ViewersTask) -> Iterator[multiprocessing.SimpleQueue[ViewersReport]]:
    """Start the viewers; once all of them are connected, yield the queue that receives their report."""
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.SimpleQueue[Any] = context.SimpleQueue()
    process = context.Process(target=run_viewers, args=(task, answers), daemon=True)
    process.start()
    try:
        answer = answers.get()
        if answer != READY:
            raise RuntimeError(f"the viewers cannot connect: {answer}")
        yield answers
    finally:
        process.kill()
        process.join()
