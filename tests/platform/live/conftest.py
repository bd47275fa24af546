from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from redis import Redis

from arena.platform.live import stream
from arena.platform.live.hub import Hub
from arena.platform.live.source import RedisSource
from arena.platform.live.store import RedisStore
from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.broker import EmbeddedBroker, running_broker


@pytest.fixture(scope="session")
def session_broker() -> Iterator[EmbeddedBroker]:
    with running_broker() as broker:
        yield broker


@pytest.fixture
def redis_broker(session_broker: EmbeddedBroker) -> Iterator[EmbeddedBroker]:
    """Yield a real broker, without any stored events, to which this process publishes."""
    with Redis.from_url(session_broker.url) as client:
        client.flushall()
    store = RedisStore(session_broker.url)
    stream.use_store(store)
    yield session_broker
    stream.use_store(None)
    store.close()


@pytest.fixture
def memory() -> Iterator[MemoryBroker]:
    with memory_broker() as broker:
        yield broker


@pytest_asyncio.fixture
async def hub(memory: MemoryBroker) -> AsyncIterator[Hub]:
    """Yield a hub on the in-memory broker, with room for four frames per viewer."""
    hub = Hub(memory.source(), queue_frames=4, retry_seconds=0, delivery_seconds=0.01)
    yield hub
    await hub.close()


@pytest_asyncio.fixture
async def redis_hub(redis_broker: EmbeddedBroker) -> AsyncIterator[Hub]:
    source = RedisSource(redis_broker.url)
    hub = Hub(source, retry_seconds=0.05)
    yield hub
    await hub.close()
    await source.close()
