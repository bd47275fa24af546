"""The hub fans out events, lets late viewers catch up, and requests a resync when events are lost."""

import asyncio
import json

import pytest

from arena.platform.live import hub as hub_module
from arena.platform.live.hub import BrokerUnavailableError, Hub
from arena.platform.live.publisher import publish
from arena.platform.live.store import EventFrame
from arena.platform.live.testing import MemoryBroker, MemorySource
from arena.platform.live.viewer import Viewer

TOPIC = "matches/1"


def send(*numbers: int, topic: str = TOPIC) -> None:
    for number in numbers:
        publish(topic, number, {"type": "turn"})


async def received_numbers(viewer: Viewer, count: int) -> list[object]:
    """Return the sequence numbers of the next ``count`` frames; for frames without one, their type."""
    async with asyncio.timeout(5):
        frames = [json.loads(await viewer.next_frame() or '{"type": "end"}') for _ in range(count)]
    return [frame.get("seq", frame["type"]) for frame in frames]


async def test_viewer_receives_events_sent_after_joining(hub: Hub) -> None:
    viewer = await hub.join(TOPIC, 0)
    send(1, 2)
    assert await received_numbers(viewer, 2) == [1, 2]


async def test_late_viewer_catches_up_from_the_stream(hub: Hub) -> None:
    send(1, 2, 3)
    viewer = await hub.join(TOPIC, 1)
    send(4)
    assert await received_numbers(viewer, 3) == [2, 3, 4]


async def test_events_during_a_join_arrive_once_and_in_order(
    memory: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = memory.source()
    hub = Hub(source)
    read = source.events_after

    async def slow_read(topic: str, seq: int) -> object:
        kept = await read(topic, seq)
        send(3)
        await asyncio.sleep(0)
        return kept

    send(1, 2)
    monkeypatch.setattr(source, "events_after", slow_read)
    viewer = await hub.join(TOPIC, 0)
    assert await received_numbers(viewer, 3) == [1, 2, 3]
    await hub.close()


async def test_stream_without_the_needed_start_causes_resync(hub: Hub, memory: MemoryBroker) -> None:
    send(1, 2, 3, 4)
    memory.delete_events(TOPIC, below=4)
    assert await received_numbers(await hub.join(TOPIC, 1), 2) == ["resync", "end"]
    assert await received_numbers(await hub.join(TOPIC, 3), 1) == [4]


@pytest.mark.parametrize("lost_from", [1, 4])
async def test_stream_that_lost_its_end_causes_resync(hub: Hub, memory: MemoryBroker, lost_from: int) -> None:
    send(*range(1, lost_from))  # events up to 5 were sent; then the broker was killed, and nothing has been sent since
    assert await received_numbers(await hub.join(TOPIC, 2, newest=5), 2) == ["resync", "end"]
    knows_all = await hub.join(TOPIC, 5, newest=5)
    send(6)
    assert await received_numbers(knows_all, 1) == [6]


async def test_join_waits_for_a_committed_event_not_yet_sent(memory: MemoryBroker) -> None:
    hub = Hub(memory.source())
    send(1, 2)
    joining = asyncio.create_task(hub.join(TOPIC, 1, newest=4))  # 3 and 4 are committed but not sent yet
    while not memory.subscriptions or not memory.reads:
        await asyncio.sleep(0)
    send(3)
    await asyncio.sleep(0)
    assert not joining.done()
    send(4, 5)
    assert await received_numbers(await joining, 4) == [2, 3, 4, 5]
    await hub.close()


async def test_join_waits_for_events_sent_out_of_order(memory: MemoryBroker) -> None:
    hub = Hub(memory.source())
    joining = asyncio.create_task(hub.join(TOPIC, 0, newest=2))
    while not memory.subscriptions or not memory.reads:
        await asyncio.sleep(0)
    send(2, 1)
    assert await received_numbers(await joining, 2) == [1, 2]
    await hub.close()


async def test_events_sent_out_of_order_arrive_in_order(memory: MemoryBroker) -> None:
    hub = Hub(memory.source(), gap_timeout_seconds=60)
    viewers = [await hub.join(TOPIC, 0) for _ in range(3)]
    send(1, 4, 2)
    late = await hub.join(TOPIC, 1)  # joins while the stream has a gap
    send(3, 5)
    for viewer in viewers:
        assert await received_numbers(viewer, 5) == [1, 2, 3, 4, 5]
    assert await received_numbers(late, 4) == [2, 3, 4, 5]
    await hub.close()


async def test_lost_event_leaves_a_gap_visible_to_pages(memory: MemoryBroker) -> None:
    hub = Hub(memory.source(), gap_timeout_seconds=0)
    viewer = await hub.join(TOPIC, 0)
    send(1, 3)
    assert await received_numbers(viewer, 2) == [1, 3]
    send(2, 4)  # 2 arrives after all, but too late
    assert await received_numbers(viewer, 1) == [4]
    await hub.close()


async def test_broker_lost_before_an_event_arrives_causes_resync(memory: MemoryBroker) -> None:
    hub = Hub(memory.source(), retry_seconds=0)
    joining = asyncio.create_task(hub.join(TOPIC, 0, newest=1))
    while not memory.reads:
        await asyncio.sleep(0)
    memory.disconnect()
    memory.reconnect()
    assert await received_numbers(await joining, 2) == ["resync", "end"]
    await hub.close()


async def test_viewers_share_one_subscription_that_ends_with_the_last(hub: Hub, memory: MemoryBroker) -> None:
    viewers = [await hub.join(TOPIC, 0) for _ in range(10)]
    await hub.join("matches/2", 0)
    assert memory.subscriptions == [{TOPIC, "matches/2"}]
    for viewer in viewers:
        await hub.leave(TOPIC, viewer)
    assert memory.subscriptions == [{"matches/2"}]


async def test_viewers_receive_only_their_own_topic(hub: Hub) -> None:
    one, two = await hub.join(TOPIC, 0), await hub.join("matches/2", 0)
    send(1)
    send(7, topic="matches/2")
    assert await received_numbers(one, 1) == [1]
    assert await received_numbers(two, 1) == [7]


async def test_slow_viewer_gets_one_resync_and_delays_no_other(hub: Hub) -> None:
    slow, quick = await hub.join(TOPIC, 0), await hub.join(TOPIC, 0)
    for number in range(1, 11):
        send(number)
        assert await received_numbers(quick, 1) == [number]
    assert await received_numbers(slow, 2) == ["resync", "end"]


async def test_broker_outage_causes_resync_on_reconnect(hub: Hub, memory: MemoryBroker) -> None:
    viewer = await hub.join(TOPIC, 0)
    send(1)
    assert await received_numbers(viewer, 1) == [1]
    memory.disconnect()
    send(2)  # lost without a trace
    memory.reconnect()
    assert await received_numbers(viewer, 2) == ["resync", "end"]
    again = await hub.join(TOPIC, 2)
    send(3)
    assert await received_numbers(again, 1) == [3]


async def test_unexpected_message_causes_resync_and_does_not_end_the_hub(
    hub: Hub, memory: MemoryBroker, caplog: pytest.LogCaptureFixture
) -> None:
    viewer = await hub.join(TOPIC, 0)
    memory.broadcast('{"courses":[7]}')  # a revocation as sent by a newer version of the site
    assert await received_numbers(viewer, 2) == ["resync", "end"]
    assert "courses" in caplog.text
    again = await hub.join(TOPIC, 0)
    send(1)
    assert await received_numbers(again, 1) == [1]


async def test_resync_requests_of_many_viewers_are_spread_out(hub: Hub, memory: MemoryBroker) -> None:
    viewers = [await hub.join(TOPIC, 0) for _ in range(hub_module.SNAPSHOTS_A_SECOND // 4 + 1)]
    memory.disconnect()
    memory.reconnect()
    frames = {await viewer.next_frame() for viewer in viewers}
    assert frames == {'{"type":"resync","within":250}'}


async def test_viewer_is_asked_to_retry_while_the_broker_is_unavailable(
    hub: Hub, memory: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "JOIN_SECONDS", 0.05)
    memory.disconnect()
    with pytest.raises(BrokerUnavailableError):
        await hub.join(TOPIC, 0)


class UnreadableSource(MemorySource):
    """A source whose streams contain an entry that this version of the site cannot parse."""

    async def events_after(self, topic: str, seq: int) -> tuple[list[EventFrame], int | None]:
        raise ValueError("an entry without a number")


async def test_failed_join_leaves_no_viewer_behind(memory: MemoryBroker) -> None:
    hub = Hub(UnreadableSource(memory))
    with pytest.raises(ValueError, match="without a number"):
        await hub.join(TOPIC, 0)
    assert memory.subscriptions == [set()]
    await hub.close()


async def test_cancelled_join_leaves_no_viewer_behind(memory: MemoryBroker) -> None:
    hub = Hub(memory.source(), delivery_seconds=60)
    joining = asyncio.create_task(hub.join(TOPIC, 0, newest=1))  # 1 is committed but not sent yet
    while not memory.reads:
        await asyncio.sleep(0)
    joining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await joining
    assert memory.subscriptions == [set()]
    await hub.close()


async def test_every_viewer_is_pinged(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "PING_SECONDS", 0.01)
    viewer = await hub.join(TOPIC, 0)
    assert await received_numbers(viewer, 1) == ["ping"]
