"""Events are numbered, stale writers fenced off and streams repaired, on the in-memory broker and on a real one."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from arena.platform.live import stream
from arena.platform.live.publisher import EventSender, Journal, publish, supersede
from arena.platform.live.store import MAX_EVENTS, AppendResult, EventFrame, RedisStore, topic_key
from arena.platform.live.stream import read_events
from arena.platform.live.testing import MemoryBroker, memory_broker
from tests.broker import EmbeddedBroker

TOPIC = "matches/1"


@pytest.fixture(params=["memory", "redis"])
def _broker(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "redis":
        request.getfixturevalue("redis_broker")
        yield
    else:
        with memory_broker():
            yield


def numbers(after: int = 0) -> list[int]:
    return [event["seq"] for event in read_events(TOPIC, after).list]


@pytest.mark.usefixtures("_broker")
def test_events_are_read_back_as_sent() -> None:
    publish(TOPIC, 1, {"type": "turn", "move": "D3", "name": "小明"})
    assert read_events(TOPIC, 0) == stream.Events(
        [{"seq": 1, "type": "turn", "move": "D3", "name": "小明"}], complete=True
    )
    assert read_events(TOPIC, 1) == stream.Events([], complete=True)


@pytest.mark.usefixtures("_broker")
def test_stale_writer_is_silenced() -> None:
    supersede(TOPIC, 2_000_000, {"type": "started"})
    supersede(TOPIC, 1_000_007, {"type": "turn"})
    supersede(TOPIC, 2_000_000, {"type": "started"})
    assert numbers() == [2_000_000]


@pytest.mark.usefixtures("_broker")
def test_superseded_journal_is_silenced() -> None:
    journal = Journal(TOPIC, 1_000_000)
    journal.publish({"type": "started"})
    supersede(TOPIC, 1_999_999, {"type": "requeued"})
    journal.publish({"type": "turn"})
    journal.publish({"type": "turn"})
    assert numbers() == [1_000_000, 1_999_999]


@pytest.mark.usefixtures("_broker")
def test_late_event_is_stored_in_its_place() -> None:
    for seq in (1, 4, 2, 4, 3, 2, 5):
        publish(TOPIC, seq, {"type": "result", "is": seq})
    assert [event["is"] for event in read_events(TOPIC, 0).list] == [1, 2, 3, 4, 5] == numbers()


@pytest.mark.usefixtures("_broker")
def test_late_event_is_sent_once() -> None:
    for seq in (1, 2, 3, 5, 6, 4):
        publish(TOPIC, seq, {"type": "result"}, keep=3)
    assert numbers() == [4, 5, 6]
    publish(TOPIC, 3, {"type": "result"}, keep=3)  # far too late
    assert numbers() == [4, 5, 6]


def test_stream_keeps_the_newest_events(redis_broker: EmbeddedBroker) -> None:
    """On a real broker, subscribers receive exactly the events that the stream stores, each of them once."""
    store = RedisStore(redis_broker.url)
    with Redis.from_url(redis_broker.url, decode_responses=True) as client, client.pubsub() as channel:
        channel.subscribe(topic_key(TOPIC))
        for seq in (1, 3, 2, 3, 2):
            store.append(TOPIC, EventFrame(seq, "{}"), counted=True)
        sent = [channel.get_message(timeout=60) for _ in range(4)]
        assert [message["data"] for message in sent[1:]] == ["1 {}", "3 {}", "2 {}"]
        assert channel.get_message(timeout=0.01) is None
    store.close()


@pytest.mark.usefixtures("_broker")
def test_reader_detects_that_the_stream_begins_too_late() -> None:
    publish(TOPIC, 5, {"type": "turn"})
    assert not read_events(TOPIC, 3).complete
    assert read_events(TOPIC, 4).complete


@pytest.mark.usefixtures("_broker")
def test_journal_numbers_have_no_gaps() -> None:
    journal = Journal(TOPIC, 1_000_000)
    for _ in range(3):
        journal.publish({"type": "turn"})
    assert numbers() == [1_000_000, 1_000_001, 1_000_002]
    assert journal.next_seq == 1_000_003


@pytest.mark.usefixtures("_broker")
def test_second_attempt_continues_the_numbering_of_the_first() -> None:
    first, second = Journal(TOPIC, 1_000_000), Journal(TOPIC, 2_000_000)
    for journal in (first, first, second, first, second):
        journal.publish({"type": "turn"})
    assert numbers() == [1_000_000, 1_000_001, 2_000_000, 2_000_001]


def test_journal_repairs_a_lost_stream() -> None:
    with memory_broker() as broker:
        journal = Journal(TOPIC, 1)
        journal.publish({"type": "started"})
        journal.publish({"type": "turn"})
        broker.delete_events(TOPIC)
        journal.publish({"type": "turn"})
        assert numbers() == [1, 2, 3]
        broker.disconnect()
        journal.publish({"type": "turn"})
        broker.reconnect()
        journal.publish({"type": "turn"})
        assert numbers() == [1, 2, 3, 4, 5]


def test_unreachable_broker_raises_no_error(caplog: pytest.LogCaptureFixture) -> None:
    stream.use_store(RedisStore("unix:///nowhere/at/all.sock"))
    try:
        publish(TOPIC, 1, {"type": "turn"})
        assert read_events(TOPIC, 0) == stream.Events([], complete=False)
    finally:
        stream.use_store(None)
    assert "arena.platform.live.publisher" in [record.name for record in caplog.records]


def test_broker_that_lost_everything_is_refilled(redis_broker: EmbeddedBroker) -> None:
    journal = Journal(TOPIC, 1)
    journal.publish({"type": "started"})
    redis_broker.kill(delete_data=True)
    journal.publish({"type": "turn"})
    redis_broker.start()
    journal.publish({"type": "turn"})
    assert numbers() == [1, 2, 3]


@pytest.mark.usefixtures("_broker")
def test_events_sent_together_arrive_atomically() -> None:
    journal = Journal(TOPIC, 1)
    journal.publish({"type": "started"}, {"type": "turn"}, {"type": "turn"})
    assert numbers() == [1, 2, 3]
    supersede(TOPIC, 10, {"type": "requeued"})
    journal.publish({"type": "turn"}, {"type": "turn"})
    assert numbers() == [1, 2, 3, 10]


@pytest.mark.usefixtures("_broker")
def test_sender_flushes_everything_when_it_ends() -> None:
    with EventSender(Journal(TOPIC, 1), pause=60.0) as events:
        for _ in range(100):
            events.publish(lambda: {"type": "turn"})
    assert numbers() == list(range(1, 101))


def test_rapid_events_are_batched() -> None:
    class Counting(MemoryBroker):
        steps = 0

        def append(self, topic: str, *frames: EventFrame, **how: Any) -> AppendResult:
            self.steps += 1
            return super().append(topic, *frames, **how)

    broker = Counting()
    stream.use_store(broker)
    try:
        with EventSender(Journal(TOPIC, 1), pause=60.0) as events:
            for _ in range(100):
                events.publish(lambda: {"type": "turn"})
    finally:
        stream.use_store(None)
    assert len(broker.events(TOPIC)) == 100
    assert broker.steps <= 2, "at once, and at the end"


def test_sender_raises_write_errors() -> None:
    with memory_broker(), pytest.raises(ValueError, match="JSON"), EventSender(Journal(TOPIC, 1)) as events:
        events.publish(lambda: {"seconds": float("nan")})


def test_sender_repairs_a_stream_lost_in_the_meantime() -> None:
    with memory_broker() as broker:
        journal = Journal(TOPIC, 1)
        journal.publish({"type": "started"})
        broker.delete_events(TOPIC)
        with EventSender(journal) as events:
            events.publish(lambda: {"type": "turn"})
        assert numbers() == [1, 2]


@pytest.mark.usefixtures("_broker")
def test_long_match_keeps_all_of_its_events() -> None:
    """A stream keeps all events of a long match if the journal asks for that many.

    The snapshot of a running match is read from its stream, so the stream must be complete.
    """
    for topic, keep in (("matches/1", 4_500), ("matches/2", MAX_EVENTS)):
        journal = Journal(topic, 1, keep=keep)
        for begin in range(0, 4_500, 500):
            journal.publish(*({"n": number} for number in range(begin, begin + 500)))
    assert numbers() == list(range(1, 4_501))
    assert len(read_events("matches/2", 0).list) == MAX_EVENTS
