"""A room's WebSocket resumes after the last event that the page has seen, and sends the same events to everybody."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from channels.routing import URLRouter

from arena.games.golden_point.rooms import services
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.live.snapshots import snapshot
from arena.games.golden_point.rooms.rounds.picks import SentPick, submit_all
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.games.golden_point.rooms.services import NewRoom, RoomCaller
from arena.platform.live import consumers
from arena.platform.live.consumers import socket_urls
from arena.platform.live.hub import Hub
from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.games.golden_point.rooms.program import Clock
from tests.platform.live.browser_socket import Socket

# Sockets query the database in separate threads, which see only committed data.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    with memory_broker() as broker:
        yield broker


@pytest_asyncio.fixture
async def sockets(broker: MemoryBroker) -> AsyncIterator[Callable[[str], Socket]]:
    hub = Hub(broker.source(), retry_seconds=0, delivery_seconds=0.01)
    application = URLRouter(socket_urls(hub))
    yield lambda path: Socket(application, path)
    await hub.close()


def create_room(clock: Clock) -> int:
    return services.create_room(NewRoom(RoomTerms(seconds=3)), clock())


def play_round(room: int, clock: Clock) -> None:
    found = snapshot(room, clock())
    assert found
    uid = str(services.create_player("Ada", RoomCaller("", Clock()())).uid)
    submit_all([SentPick(uid, found["room"]["round_id"], "50")], clock)
    clock.advance(3)
    services.close_due_rounds(clock())


async def test_closed_rounds_are_pushed(sockets: Any, clock: Clock) -> None:
    room = await sync_to_async(create_room)(clock)
    page = sockets(f"/ws/rooms/{room}?after=0")
    await page.watch()
    for number in (1, 2):
        await sync_to_async(play_round)(room, clock)
        event = await page.receive()
        assert (event["type"], event["seq"], event["closed"]["round"]) == ("closed", number, number)
    await page.disconnect()


async def test_resumed_page_receives_missed_rounds(sockets: Any, clock: Clock) -> None:
    room = await sync_to_async(create_room)(clock)
    for _ in range(3):
        await sync_to_async(play_round)(room, clock)
    page = sockets(f"/ws/rooms/{room}?after=1")
    await page.watch()
    assert [(await page.receive())["closed"]["round"] for _ in range(2)] == [2, 3]
    await page.disconnect()


async def test_page_behind_the_brokers_history_restarts_from_a_snapshot(
    sockets: Any, clock: Clock, broker: MemoryBroker
) -> None:
    room = await sync_to_async(create_room)(clock)
    await sync_to_async(play_round)(room, clock)
    await sync_to_async(play_round)(room, clock)
    broker.delete_events(broadcast.topic(room))
    late = sockets(f"/ws/rooms/{room}?after=1")
    await late.watch()
    assert await late.receive() == {"type": "resync"}
    assert await late.closing_code() == consumers.RESYNC
    current = sockets(f"/ws/rooms/{room}?after=2")
    await current.watch()
    await sync_to_async(play_round)(room, clock)
    assert (await current.receive())["seq"] == 3
    await current.disconnect()


async def test_unknown_room_has_no_socket(sockets: Any) -> None:
    page = sockets("/ws/rooms/99")
    await page.connect()
    assert await page.closing_code() == consumers.FORBIDDEN
