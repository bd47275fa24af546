"""While a viewer's permission is being rechecked, events are held back; afterwards, they are delivered or dropped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection

import pytest
import pytest_asyncio
from django.db import DatabaseError

from arena.platform.live import stream
from arena.platform.live.hub import Hub
from arena.platform.live.publisher import publish
from arena.platform.live.revocation import Reader, Revocation
from arena.platform.live.source import RedisSource
from arena.platform.live.stream import current_store
from arena.platform.live.testing import MemoryBroker
from arena.platform.live.topics import Topic
from arena.platform.live.viewer import Viewer
from tests.broker import EmbeddedBroker

TOPIC = "tournaments/3"


class Rules:
    """A fake permission check that can be blocked and records its calls."""

    def __init__(self) -> None:
        self.refused: set[str | None] = set()
        self.checks: list[tuple[str, set[str | None]]] = []
        self.answers = asyncio.Event()
        self.answers.set()
        self.failures = 0
        self.failure: Exception = DatabaseError("away")

    async def __call__(self, topic: Topic, sessions: Collection[str | None]) -> frozenset[str | None]:
        self.checks.append((str(topic), set(sessions)))
        await self.answers.wait()
        if self.failures:
            self.failures -= 1
            raise self.failure
        return frozenset(sessions) - self.refused


@pytest.fixture
def rules() -> Rules:
    return Rules()


@pytest_asyncio.fixture
async def hub(memory: MemoryBroker, rules: Rules) -> AsyncIterator[Hub]:
    hub = Hub(memory.source(), queue_frames=4, retry_seconds=0, check=rules, recheck_seconds=3600)
    yield hub
    await hub.close()


async def join_viewer(hub: Hub, session: str, person: int | None = None, topic: str = TOPIC) -> Viewer:
    """Join as a viewer and wait until the first check, made when the hub starts listening, is over."""
    viewer = await hub.join(topic, 0, reader=Reader(session, person), revocations=hub.revocations)
    await wait_for_checks()
    return viewer


async def wait_for_checks() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def send_revocation(revocation: Revocation) -> None:
    target = current_store()
    assert target
    target.broadcast(revocation.text)


def sessions(*keys: str) -> Revocation:
    """Return a revocation of the sessions with these keys, which it names by their digests."""
    import hashlib

    return Revocation(sessions=frozenset(hashlib.sha256(key.encode()).hexdigest() for key in keys))


async def test_viewer_without_permission_gets_no_further_events(hub: Hub, rules: Rules) -> None:
    gone, stays = await join_viewer(hub, "gone", 7), await join_viewer(hub, "stays", 8)
    rules.refused = {"gone"}
    send_revocation(Revocation(people=frozenset({7})))
    publish(TOPIC, 1, {"type": "news"})
    assert await stays.next_frame() is not None
    assert await gone.next_frame() is None
    assert gone.dismissed
    publish(TOPIC, 2, {"type": "news"})
    await wait_for_checks()
    assert await gone.next_frame() is None


async def test_events_wait_while_the_permission_is_checked(hub: Hub, rules: Rules) -> None:
    viewer = await join_viewer(hub, "ada", 7)
    rules.answers.clear()
    send_revocation(Revocation(people=frozenset({7})))
    publish(TOPIC, 1, {"type": "news"})
    send_revocation(Revocation(topics=frozenset({TOPIC})))
    publish(TOPIC, 2, {"type": "news"})
    waiting = asyncio.create_task(viewer.next_frame())
    await wait_for_checks()
    assert not waiting.done()
    rules.answers.set()
    assert '"seq":1' in str(await waiting)
    assert '"seq":2' in str(await viewer.next_frame())


async def test_revocation_checks_only_named_viewers_once_per_topic(hub: Hub, rules: Rules) -> None:
    for number in range(5):
        await join_viewer(hub, f"session{number}", number)
    await join_viewer(hub, "elsewhere", 9, "matches/4")
    rules.checks.clear()
    send_revocation(Revocation(people=frozenset({77})))
    send_revocation(sessions("unknown"))
    send_revocation(Revocation(topics=frozenset({"matches/5"})))
    await wait_for_checks()
    assert rules.checks == []
    send_revocation(Revocation(people=frozenset({1, 2, 9})))
    send_revocation(sessions("session4"))
    await wait_for_checks()
    assert rules.checks == [
        (TOPIC, {"session1", "session2"}),
        ("matches/4", {"elsewhere"}),
        (TOPIC, {"session4"}),
    ]
    for number in range(1, 5):
        publish(TOPIC, number, {"type": "news"})
    await wait_for_checks()
    assert len(rules.checks) == 3, "no event is checked"


async def test_viewer_that_waits_too_long_gets_a_resync(hub: Hub, rules: Rules) -> None:
    viewer = await join_viewer(hub, "ada", 7)
    rules.answers.clear()
    send_revocation(Revocation(people=frozenset({7})))
    for number in range(1, 9):
        publish(TOPIC, number, {"type": "news"})
    assert await viewer.next_frame() == '{"type":"resync"}'
    assert await viewer.next_frame() is None
    rules.answers.set()


async def test_database_outage_is_retried(hub: Hub, rules: Rules) -> None:
    viewer = await join_viewer(hub, "ada", 7)
    rules.failures, rules.refused = 2, {"ada"}
    send_revocation(Revocation(people=frozenset({7})))
    publish(TOPIC, 1, {"type": "news"})
    assert await viewer.next_frame() is None


async def test_viewer_must_rejoin_if_the_check_is_broken(hub: Hub, rules: Rules) -> None:
    viewer = await join_viewer(hub, "ada", 7)
    rules.failures, rules.failure = 1, LookupError("unknown topic")
    send_revocation(Revocation(people=frozenset({7})))
    publish(TOPIC, 1, {"type": "news"})
    assert await viewer.next_frame() == '{"type":"resync"}'
    assert await viewer.next_frame() is None


async def test_revocation_during_a_join_is_applied(hub: Hub, rules: Rules) -> None:
    """A revocation takes effect even if it arrives between the first permission check and the viewer's registration."""
    await join_viewer(hub, "first")
    before = hub.revocations
    rules.refused = {"late"}
    send_revocation(Revocation(people=frozenset({7})))
    await wait_for_checks()
    late = await hub.join(TOPIC, 0, reader=Reader("late", 7), revocations=before)
    publish(TOPIC, 1, {"type": "news"})
    assert await late.next_frame() is None


async def test_first_viewer_is_checked_after_the_hub_started_listening(hub: Hub, rules: Rules) -> None:
    rules.refused = {"first"}
    first = await hub.join(TOPIC, 0, reader=Reader("first", 7), revocations=hub.revocations)
    publish(TOPIC, 1, {"type": "news"})
    assert await first.next_frame() is None


async def test_periodic_recheck_finds_unannounced_revocations(memory: MemoryBroker, rules: Rules) -> None:
    hub = Hub(memory.source(), retry_seconds=0, check=rules, recheck_seconds=0.01)
    viewer = await join_viewer(hub, "expired", 7)
    rules.refused = {"expired"}
    assert await viewer.next_frame() is None
    await hub.close()


async def test_periodic_recheck_continues_after_a_failure(memory: MemoryBroker, rules: Rules) -> None:
    hub = Hub(memory.source(), retry_seconds=0, check=rules, recheck_seconds=0.01)
    await join_viewer(hub, "ada", 7, "matches/4")
    expired = await join_viewer(hub, "expired", 8)
    rules.refused, rules.failures, rules.failure = {"expired"}, 1, LookupError("unknown topic")
    assert await expired.next_frame() is None
    await hub.close()


async def test_revocation_through_a_real_broker(redis_broker: EmbeddedBroker, rules: Rules) -> None:
    source = RedisSource(redis_broker.url)
    hub = Hub(source, retry_seconds=0.05, check=rules, recheck_seconds=3600)
    gone, stays = await join_viewer(hub, "gone", 7), await join_viewer(hub, "stays", 8)
    rules.refused = {"gone"}
    send_revocation(Revocation(people=frozenset({7}), topics=frozenset({"matches/1"})))
    publish(TOPIC, 1, {"type": "news"})
    assert '"seq":1' in str(await asyncio.wait_for(stays.next_frame(), 30))
    assert await asyncio.wait_for(gone.next_frame(), 30) is None
    await hub.close()
    await source.close()


def test_unavailable_broker_raises_no_error(memory: MemoryBroker, caplog: pytest.LogCaptureFixture) -> None:
    from arena.platform.live import revocation

    memory.disconnect()
    revocation._send(Revocation(people=frozenset({7})))
    assert revocation.__name__ in [record.name for record in caplog.records]
    stream.use_store(None)
