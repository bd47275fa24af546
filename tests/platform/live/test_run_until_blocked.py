"""Frames are written directly to the socket, and queued when it does not accept them immediately."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from arena.platform.live.hub import Hub
from arena.platform.live.publisher import publish
from arena.platform.live.run_until_blocked import run_until_blocked
from arena.platform.live.viewer import Viewer

TOPIC = "matches/1"


class Socket:
    """A fake socket: accepts frames while open, blocks the sender when congested, and raises when broken."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.broken = False

    async def send(self, text: str) -> None:
        await self.open.wait()
        if self.broken:
            raise OSError("the browser left")
        self.taken.append(text)


@pytest.fixture
def socket() -> Socket:
    return Socket()


@dataclass(frozen=True, slots=True)
class ViewerTask:
    """A viewer and the task that sends its frames."""

    viewer: Viewer
    task: asyncio.Task[None]


async def forward(viewer: Viewer, socket: Socket) -> None:
    """Forward frames as the consumer's task does."""
    viewer.attach(socket.send)
    while (text := await viewer.next_frame()) is not None:
        await socket.send(text)


@pytest_asyncio.fixture
async def viewer_task(socket: Socket) -> AsyncIterator[ViewerTask]:
    """Yield a viewer with an empty queue, so every frame can be written directly."""
    viewer = Viewer(0, 3)
    viewer.catch_up([])
    task = asyncio.create_task(forward(viewer, socket))
    await wait_until_idle()
    yield ViewerTask(viewer, task)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def wait_until_idle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_open_socket_receives_a_frame_without_waiting(viewer_task: ViewerTask, socket: Socket) -> None:
    viewer_task.viewer.put("1")
    assert socket.taken == ["1"]


async def test_frames_keep_their_order_during_congestion(viewer_task: ViewerTask, socket: Socket) -> None:
    viewer = viewer_task.viewer
    viewer.put("1")
    socket.open.clear()
    for text in ("2", "3", "4"):
        viewer.put(text)
    await wait_until_idle()
    assert socket.taken == ["1"]
    socket.open.set()
    await wait_until_idle()
    viewer.put("5")
    assert socket.taken == ["1", "2", "3", "4", "5"]


async def test_queue_is_bounded_and_overflow_causes_resync(viewer_task: ViewerTask, socket: Socket) -> None:
    viewer = viewer_task.viewer
    socket.open.clear()
    for number in range(9):
        viewer.put(str(number))
    socket.open.set()
    await wait_until_idle()
    assert socket.taken == ["0", '{"type":"resync"}']
    assert viewer_task.task.done()


async def test_broken_socket_fails_only_its_own_task(viewer_task: ViewerTask, socket: Socket) -> None:
    socket.broken = True
    viewer_task.viewer.put("1")
    with pytest.raises(OSError, match="left"):
        await viewer_task.task


async def test_leaving_mid_frame_leaves_nothing_behind(viewer_task: ViewerTask, socket: Socket) -> None:
    socket.open.clear()
    viewer_task.viewer.put("1")
    await wait_until_idle()
    viewer_task.task.cancel()
    await asyncio.gather(viewer_task.task, return_exceptions=True)
    socket.open.set()
    await wait_until_idle()
    assert socket.taken == []


async def test_broken_socket_does_not_stop_the_hub(hub: Hub) -> None:
    broken, sound = Socket(), Socket()
    broken.broken = True
    tasks = [asyncio.create_task(forward(await hub.join(TOPIC, 0), socket)) for socket in (broken, sound)]
    await wait_until_idle()
    for number in (1, 2):
        publish(TOPIC, number, {"type": "turn"})
        await wait_until_idle()
    assert [text[:8] for text in sound.taken] == ['{"seq":1', '{"seq":2']
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_blocked_work_resumes_where_it_paused() -> None:
    steps: list[str] = []

    async def work() -> None:
        steps.append("begun")
        await asyncio.sleep(0.001)
        steps.append("ended")

    rest = run_until_blocked(work())
    assert steps == ["begun"]
    assert rest is not None
    await asyncio.create_task(_await(rest))
    assert steps == ["begun", "ended"]


async def _await(rest: object) -> None:
    await rest  # type: ignore[misc]
