"""Events for spectators of a room: each change is sent once, and sequence numbers are consecutive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.games.golden_point.rooms import owner_services, services
from arena.games.golden_point.rooms.live import broadcast
from arena.games.golden_point.rooms.live.snapshots import ROUNDS, rounds_before, snapshot
from arena.games.golden_point.rooms.models import Room
from arena.games.golden_point.rooms.owner_services import RoomPlan
from arena.games.golden_point.rooms.polling.room_cache import MAX_PUBLISHED
from arena.games.golden_point.rooms.rules import RoomTerms
from arena.platform.live.testing import MemoryBroker, memory_broker
from arena.platform.live.topics import Access, Topic, access, newest
from tests import factories
from tests.games.golden_point.rooms.program import Clock, Program

pytestmark = pytest.mark.django_db


class PublishingSite:
    """A web process, and a broker that receives the events of its committed changes."""

    def __init__(self, clock: Clock, broker: MemoryBroker, capture: Any) -> None:
        self.clock, self.program = clock, Program(clock)
        self.broker, self._capture = broker, capture

    def committed(self) -> AbstractContextManager[object]:
        """Return a context manager that publishes the changes made in its block when the block ends."""
        committed: AbstractContextManager[object] = self._capture(execute=True)
        return committed

    def events(self, room: int) -> list[dict[str, Any]]:
        return self.broker.events(broadcast.topic(room))

    def play_round(self, room: int, *numbers: tuple[str, float]) -> None:
        """Submit the given numbers, and let the clock close the round."""
        with self.committed():
            for uid, number in numbers:
                assert self.program.submit(uid, room, number)[0] == 200
            self.clock.advance(3)
            self.program.refresh()


@pytest.fixture
def site(clock: Clock, django_capture_on_commit_callbacks: Any) -> Iterator[PublishingSite]:
    with memory_broker() as broker:
        yield PublishingSite(clock, broker, django_capture_on_commit_callbacks)


class RoomPage:
    """A page that shows a room as a browser does: a snapshot, updated by the events that follow."""

    def __init__(self, room: int, site: PublishingSite) -> None:
        found = snapshot(room, site.clock())
        assert found
        self.shown = found

    def apply_event(self, event: dict[str, Any]) -> None:
        assert event["seq"] == self.shown["seq"] + 1
        self.shown |= {"seq": event["seq"], "room": event["room"], "at": event["at"]}
        if event["type"] != "closed":
            return
        closed = event["closed"]
        scores = dict(self.shown["scores"]) if closed["day"] == self.shown["day"] else {}
        for player, gain, *_ in closed["picks"]:
            scores[player] = scores.get(player, 0) + gain
        self.shown |= {
            "day": closed["day"],
            "rounds": [closed, *self.shown["rounds"]],
            "scores": [list(each) for each in sorted(scores.items())],
            "names": self.shown["names"] | {int(index): name for index, name in event["names"].items()},
        }


@pytest.mark.long
def test_events_applied_to_a_snapshot_give_the_later_snapshot(site: PublishingSite) -> None:
    room, ada, bob = (
        site.program.room(duration=3, roundCount=3),
        site.program.player("Ada"),
        site.program.player("Bob"),
    )
    site.play_round(room, (ada, 50))
    page = RoomPage(room, site)
    site.play_round(room, (ada, 40), (bob, 20))
    site.play_round(room)
    site.play_round(room, (bob, 99.12345678))
    for event in site.events(room):
        if event["seq"] > page.shown["seq"]:
            page.apply_event(event)
    later = snapshot(room, site.clock())
    assert later is not None
    assert page.shown == later | {"at": page.shown["at"]}
    assert later["room"]["state"] == "finished"
    assert [closed["round"] for closed in later["rounds"]] == [3, 2, 1]
    assert later["rounds"][0]["picks"] == [[1, 0, 99.1235]]


def test_closed_event_names_nearest_and_farthest_and_the_next_round(site: PublishingSite) -> None:
    room = site.program.room(duration=3)
    players = [(site.program.player(name), number) for name, number in (("A", 10), ("B", 20), ("C", 90))]
    site.play_round(room, *players)
    (event,) = [event for event in site.events(room) if event["type"] == "closed"]
    assert event["closed"]["nearest"] == [1]
    assert event["closed"]["farthest"] == [2]
    assert [pick[:2] for pick in event["closed"]["picks"]] == [[0, 0], [1, 3], [2, -2]]
    assert event["names"] == {"0": "A", "1": "B", "2": "C"}
    assert event["room"]["round"] == 2
    assert event["room"]["round_id"] == site.program.round(room)
    assert event["room"]["ends_at"] == round((site.clock() + timedelta(seconds=3)).timestamp() * 1000)
    assert event["room"]["submitted"] == 0


def test_concurrent_processes_publish_a_round_once(site: PublishingSite) -> None:
    room, others = site.program.room(duration=3), [Program(site.clock) for _ in range(2)]
    with site.committed():
        site.program.submit(site.program.player(), room, 50)
        site.clock.advance(3)
        for process in (*others, site.program):
            process.refresh()
        services.close_due_rounds(site.clock())  # as the periodic sweep does
    events = site.events(room)
    assert [event["type"] for event in events] == ["closed"]
    assert [event["seq"] for event in events] == [newest(Topic("rooms", room))]


def test_submissions_are_published_together_by_one_process(site: PublishingSite) -> None:
    room, other = site.program.room(duration=60), Program(site.clock)
    with site.committed():
        for _ in range(3):
            site.program.submit(site.program.player(), room, 50)
        site.clock.advance(1)
        site.program.refresh()
        other.refresh()
        site.clock.advance(1)
        site.program.refresh()
    assert [(event["type"], event["room"]["submitted"]) for event in site.events(room)] == [("room", 3)]


@pytest.mark.long
def test_submission_counts_are_published_a_few_times_per_second(site: PublishingSite) -> None:
    room = site.program.room(duration=60)
    with site.committed():
        for _ in range(10):
            site.clock.advance(0.1)
            site.program.submit(site.program.player(), room, 50)
            site.program.refresh()
    assert 3 <= len(site.events(room)) <= 4


@pytest.mark.long
def test_rooms_take_turns_publishing_counts(site: PublishingSite) -> None:
    rooms = [site.program.room(duration=60) for _ in range(MAX_PUBLISHED + 5)]
    with site.committed():
        for room in rooms:
            site.program.submit(site.program.player(), room, 50)
        for _ in range(2):
            site.clock.advance(1)
            site.program.refresh()
    assert [len(site.events(room)) for room in rooms] == [1] * len(rooms)


def test_start_restart_and_end_of_rounds_are_published(site: PublishingSite) -> None:
    creator = site.program.player()
    room = site.program.room(uid=creator, duration=3, manuallyStart=1)
    with site.committed():
        site.program.get_ok("/api/StartGame", uid=creator, roomid=room)
        site.clock.advance(3)
        site.program.refresh()
    Room.objects.filter(number=room).update(created_at=site.clock() - timedelta(days=30))
    with site.committed():
        services.close_idle_rooms(site.clock())
    events = site.events(room)
    assert [event["seq"] for event in events] == [1, 2, 3]
    assert [event["room"]["state"] for event in events] == ["running", "running", "finished"]
    assert len({event["room"]["round_id"] for event in events}) == 3
    assert events[-1]["room"]["ends_at"] is None


@pytest.mark.parametrize("waits", [True, False])
def test_new_room_name_is_published_in_every_state(site: PublishingSite, waits: bool) -> None:
    plan = RoomPlan(RoomTerms(), "Before", started_by_hand=waits)
    room = owner_services.create(factories.person(), plan, now=site.clock())
    page = RoomPage(room, site)
    assert page.shown["room"]["name"] == "Before"
    with site.committed():
        owner_services.rename(room, "After", now=site.clock())
    page.apply_event(site.events(room)[-1])
    assert page.shown == snapshot(room, site.clock())
    assert page.shown["room"]["name"] == "After"


def test_last_submission_in_limited_room_closes_round_with_one_event(site: PublishingSite) -> None:
    room = site.program.room(duration=60, userCount=2)
    with site.committed():
        for _ in range(2):
            site.program.submit(site.program.player(), room, 50)
    assert [event["type"] for event in site.events(room)] == ["closed"]


def test_broker_outage_breaks_nothing_and_leaves_a_sequence_gap(site: PublishingSite) -> None:
    room, ada = site.program.room(duration=3), site.program.player()
    page = RoomPage(room, site)
    site.broker.disconnect()
    site.play_round(room, (ada, 50))
    site.broker.reconnect()
    site.play_round(room, (ada, 50))
    assert site.events(room)[0]["seq"] > page.shown["seq"] + 1
    assert newest(Topic("rooms", room)) == RoomPage(room, site).shown["seq"]


def test_snapshot_is_read_once_per_event(site: PublishingSite) -> None:
    room, ada = site.program.room(duration=3), site.program.player()
    site.play_round(room, (ada, 50))
    snapshot(room, site.clock())
    with CaptureQueriesContext(connection) as queries:
        snapshot(room, site.clock())
    assert len(queries) == 1
    since = snapshot(room, site.clock(), since=1)
    assert since is not None
    assert since["rounds"] == []


def test_earlier_rounds_are_paged(site: PublishingSite) -> None:
    room, ada = site.program.room(duration=3), site.program.player("Ada")
    for _ in range(3):
        site.play_round(room, (ada, 50))
    page = rounds_before(room, 3)
    assert [closed["round"] for closed in page["rounds"]] == [2, 1]
    assert page["names"] == {0: "Ada"}
    assert ROUNDS == 100


def test_scores_reset_at_midnight(site: PublishingSite) -> None:
    room, ada, bob = site.program.room(duration=3), site.program.player(), site.program.player()
    site.play_round(room, (ada, 50), (bob, 30))
    page = RoomPage(room, site)
    site.clock.advance(24 * 3600)
    site.play_round(room)
    site.play_round(room, (ada, 31), (bob, 50))
    for event in site.events(room):
        if event["seq"] > page.shown["seq"]:
            page.apply_event(event)
    later = snapshot(room, site.clock())
    assert later is not None
    assert page.shown["scores"] == later["scores"] == [[0, 2], [1, -2]]


def test_rooms_are_public_and_room_zero_has_its_own_topic(site: PublishingSite) -> None:
    services.ensure_permanent_rooms(site.clock())
    assert broadcast.topic(0) == "rooms"
    assert access(Topic("rooms", 0), None) is Access.GRANTED
    assert access(Topic("rooms", 10**30), None) is Access.FORBIDDEN
    assert newest(Topic("rooms", 10**30)) == 0


def test_sending_does_not_wait_for_the_broker(site: PublishingSite) -> None:
    room, ada = site.program.room(duration=3), site.program.player()
    later: list[Callable[[], None]] = []
    broadcast.use_sender(later.append)
    try:
        site.play_round(room, (ada, 50))
        site.play_round(room, (ada, 50))
    finally:
        broadcast.use_sender(None)
    assert site.events(room) == []
    for job in later:
        job()
    assert [event["seq"] for event in site.events(room)] == [1, 2]
