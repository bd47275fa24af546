"""A socket is closed when its reader loses permission; no event is delivered afterwards."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from arena.classes import services
from arena.classes.models import Course
from arena.matches.models import Match, Purpose
from arena.platform.live import consumers
from arena.platform.live.consumers import socket_urls
from arena.platform.live.hub import Hub
from arena.platform.live.publisher import publish
from arena.platform.live.testing import MemoryBroker
from arena.tournaments.models import Tournament
from arena.tournaments.services import creation
from arena.tournaments.services.creation import TournamentPlan
from tests import factories
from tests.platform.live.browser_socket import Socket
from tests.tournaments.harness import TournamentHarness

# Sockets query the database in their own threads, which only see committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "correct horse 17"


class Reader:
    """A member of the class, signed in with a browser."""

    def __init__(self, name: str, course: Course) -> None:
        self.user: User = factories.person(name)
        self.user.set_password(PASSWORD)
        self.user.save()
        services.join(self.user, course.code)
        self.client = Client()
        self.client.force_login(self.user)

    @property
    def cookie(self) -> str:
        return f"sessionid={self.client.session.session_key}"


class Scene:
    """A tournament for a class, and two members of the class."""

    def __init__(self, stage: TournamentHarness) -> None:
        self.stage = stage
        self.course = services.create(stage.organizer, services.CoursePlan("AI 101"), rng=random.Random(1))
        self.cup: Tournament = stage.create_tournament(name="Secret cup", course_id=self.course.pk, members_only=True)
        self.ada, self.bob = Reader("ada", self.course), Reader("bob", self.course)
        self.number = 100

    @property
    def path(self) -> str:
        return f"/ws/tournaments/{self.cup.pk}?after=100"

    def publish_event(self) -> None:
        """Publish the next event of the tournament."""
        self.number += 1
        publish(f"tournaments/{self.cup.pk}", self.number, {"type": "status"})

    def plan(self, **changes: Any) -> TournamentPlan:
        columns = {name: getattr(self.cup, name) for name in TournamentPlan.__dataclass_fields__}
        return TournamentPlan(**{**columns, **changes})


@pytest_asyncio.fixture
async def scene(stage: TournamentHarness) -> Scene:
    return await sync_to_async(Scene)(stage)


@pytest_asyncio.fixture
async def sockets(broker: MemoryBroker) -> AsyncIterator[Callable[..., Socket]]:
    hub = Hub(broker.source(), retry_seconds=0, delivery_seconds=0.01, recheck_seconds=3600)
    application = URLRouter(socket_urls(hub))
    yield lambda path, reader: Socket(application, path, **({"cookie": reader.cookie} if reader else {}))
    await hub.close()


def remove_member(scene: Scene) -> None:
    services.remove_member(scene.course.pk, scene.ada.user.pk)


def leave_class(scene: Scene) -> None:
    services.leave(scene.ada.user, scene.course.pk)


def suspend_account(scene: Scene) -> None:
    """Deactivate Ada's account as the admin does."""
    scene.ada.user.is_active = False
    scene.ada.user.save()


def delete_account(scene: Scene) -> None:
    scene.ada.user.delete()


def log_out(scene: Scene) -> None:
    assert scene.ada.client.post(reverse("logout")).status_code == 302


def change_password_elsewhere(scene: Scene) -> None:
    elsewhere = Client()
    elsewhere.force_login(scene.ada.user)
    fresh = "battery staple 3"
    data = {"old_password": PASSWORD, "new_password1": fresh, "new_password2": fresh}
    assert elsewhere.post(reverse("password_change"), data).status_code == 302


@pytest.mark.parametrize(
    "change", [remove_member, leave_class, suspend_account, delete_account, log_out, change_password_elsewhere]
)
async def test_revoked_reader_receives_no_events(sockets: Any, scene: Scene, change: Callable[[Scene], None]) -> None:
    ada = sockets(scene.path, await sync_to_async(lambda: scene.ada)())
    bob = sockets(scene.path, scene.bob)
    for each in (ada, bob):
        await each.watch()
    scene.publish_event()
    assert (await ada.receive())["seq"] == (await bob.receive())["seq"] == 101
    await sync_to_async(change)(scene)
    scene.publish_event()
    assert await ada.closing_code() == consumers.FORBIDDEN
    assert (await bob.receive())["seq"] == 102, "the others continue"
    scene.publish_event()
    assert (await bob.receive())["seq"] == 103
    again = sockets(scene.path, None)
    await again.connect()
    assert await again.closing_code() == consumers.FORBIDDEN
    for each in (ada, bob, again):
        await each.disconnect()


async def test_nonmembers_are_disconnected_when_it_becomes_members_only(sockets: Any, scene: Scene) -> None:
    await sync_to_async(creation.edit)(scene.cup.pk, scene.plan(members_only=False), actor=scene.stage.organizer)
    stranger, bob = sockets(scene.path, None), sockets(scene.path, scene.bob)
    for each in (stranger, bob):
        await each.watch()
    await sync_to_async(creation.edit)(scene.cup.pk, scene.plan(members_only=True), actor=scene.stage.organizer)
    scene.publish_event()
    assert await stranger.closing_code() == consumers.FORBIDDEN
    assert (await bob.receive())["seq"] == 101
    for each in (stranger, bob):
        await each.disconnect()


async def test_withholding_again_disconnects_all_but_the_organizer(sockets: Any, scene: Scene) -> None:
    """Everyone may follow the topic with all results until the results are withheld; then only the organizer may."""
    path = f"/ws/withheld/{scene.cup.pk}?after=100"
    organizer = await sync_to_async(_client_of)(scene.stage.organizer)
    inside, bob = sockets(path, organizer), sockets(path, scene.bob)
    for each in (inside, bob):
        await each.watch()
    await sync_to_async(creation.edit)(scene.cup.pk, scene.plan(withheld=True), actor=scene.stage.organizer)
    publish(f"withheld/{scene.cup.pk}", 101, {"type": "standings"})
    assert await bob.closing_code() == consumers.FORBIDDEN
    assert (await inside.receive())["seq"] == 101
    for each in (inside, bob):
        await each.disconnect()


async def test_match_withheld_in_database_is_found_by_periodic_check(broker: MemoryBroker) -> None:
    columns = {"game": "reversi", "settings": {}, "limits": {}, "seed": 1, "purpose": Purpose.SCRIMMAGE}
    match = await sync_to_async(Match.objects.create)(**columns)
    hub = Hub(broker.source(), retry_seconds=0, delivery_seconds=0.01, recheck_seconds=0.05)
    page = Socket(URLRouter(socket_urls(hub)), f"/ws/matches/{match.pk}?after={10**12}")
    await page.watch()
    await sync_to_async(Match.objects.filter(pk=match.pk).update)(withheld=True)
    assert await page.closing_code() == consumers.FORBIDDEN
    await page.disconnect()
    await hub.close()


async def test_permission_check_of_public_topic_takes_one_query(sockets: Any, scene: Scene) -> None:
    from arena.platform.live.permission import permitted_sessions
    from arena.platform.live.topics import Topic

    await sync_to_async(creation.edit)(scene.cup.pk, scene.plan(members_only=False), actor=scene.stage.organizer)

    def query_count() -> int:
        with CaptureQueriesContext(connection) as queries:
            granted = permitted_sessions(Topic("tournaments", scene.cup.pk), [f"session{n}" for n in range(500)])
        assert len(granted) == 500
        return len(queries.captured_queries)

    assert await sync_to_async(query_count)() == 1


def _client_of(user: User) -> Any:
    reader = Reader.__new__(Reader)
    reader.user, reader.client = user, Client()
    reader.client.force_login(user)
    return reader
