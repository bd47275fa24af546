"""The hub delivers events from a real broker, and resyncs viewers after losing its connection to the broker."""

import asyncio
import json

from redis import Redis

from arena.platform.live.hub import Hub
from arena.platform.live.publisher import publish
from arena.platform.live.store import topic_key
from arena.platform.live.viewer import Viewer
from tests.broker import EmbeddedBroker

TOPIC = "tournaments/3"


async def next_frame(viewer: Viewer) -> dict[str, object]:
    async with asyncio.timeout(10):
        return dict(json.loads(await viewer.next_frame() or "{}"))


async def test_events_arrive_as_sent(redis_hub: Hub) -> None:
    viewer = await redis_hub.join(TOPIC, 0)
    publish(TOPIC, 1, {"type": "status", "status": "running"})
    assert await next_frame(viewer) == {"seq": 1, "type": "status", "status": "running"}
    late = await redis_hub.join(TOPIC, 0)
    assert (await next_frame(late))["seq"] == 1


async def test_topic_is_subscribed_once_and_released(redis_hub: Hub, redis_broker: EmbeddedBroker) -> None:
    viewers = [await redis_hub.join(TOPIC, 0) for _ in range(5)]
    with Redis.from_url(redis_broker.url, decode_responses=True) as client:
        assert client.pubsub_numsub(topic_key(TOPIC)) == [(topic_key(TOPIC), 1)]
        for viewer in viewers:
            await redis_hub.leave(TOPIC, viewer)
        again = await redis_hub.join(TOPIC, 0)
        publish(TOPIC, 1, {"type": "status"})
        assert (await next_frame(again))["seq"] == 1


async def test_broker_death_causes_resync_and_delivery_resumes(redis_hub: Hub, redis_broker: EmbeddedBroker) -> None:
    viewer = await redis_hub.join(TOPIC, 0)
    redis_broker.kill()
    redis_broker.start()
    assert await next_frame(viewer) == {"type": "resync"}
    again = await redis_hub.join(TOPIC, 1)
    publish(TOPIC, 2, {"type": "status"})
    assert (await next_frame(again))["seq"] == 2


async def test_streams_expire(redis_hub: Hub, redis_broker: EmbeddedBroker) -> None:
    publish(TOPIC, 1, {"type": "status"})
    with Redis.from_url(redis_broker.url) as client:
        assert 86_000 < client.ttl(topic_key(TOPIC)) <= 86_400
