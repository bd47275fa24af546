"""The WebSocket consumer checks permissions, runs few queries, and closes connections with the right codes."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from channels.routing import URLRouter
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.platform.live import consumers, permission, topics
from arena.platform.live.consumers import socket_urls
from arena.platform.live.hub import Hub
from arena.platform.live.publisher import publish
from arena.platform.live.testing import MemoryBroker
from arena.platform.live.topics import Access, Topic
from tests.platform.live.browser_socket import Socket

# Channels closes old database connections with every message, and a thread may still hold one from an earlier test.
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {
        "public": lambda user, pk: True,
        "private": lambda user, pk: user.is_authenticated and user.username == "ada",
    }
    monkeypatch.setattr(topics, "_RULES", rules)


@pytest.fixture
def socket(hub: Hub) -> Callable[..., Socket]:
    return partial(Socket, URLRouter(socket_urls(hub)))


async def closing_code(socket: Socket) -> int:
    await socket.connect()
    return await socket.closing_code()


async def test_numbered_events_arrive_as_text(socket: Any) -> None:
    publish("public/1", 4, {"type": "turn"})
    browser = socket("/ws/public/1?after=3")
    await browser.watch()
    assert await browser.receive() == {"seq": 4, "type": "turn"}
    publish("public/1", 5, {"type": "turn"})
    assert await browser.receive() == {"seq": 5, "type": "turn"}
    await browser.disconnect()


async def test_leaving_ends_the_subscription(socket: Any, memory: MemoryBroker) -> None:
    browser = socket("/ws/public/1")
    await browser.watch()
    publish("public/1", 1, {"type": "turn"})
    await browser.receive()
    assert memory.subscriptions == [{"public/1"}]
    await browser.disconnect()
    assert memory.subscriptions == [set()]


async def test_gap_ends_with_resync(socket: Any, memory: MemoryBroker) -> None:
    publish("public/1", 9, {"type": "turn"})
    browser = socket("/ws/public/1?after=3")
    await browser.watch()
    assert await browser.receive() == {"type": "resync"}
    assert await browser.closing_code() == consumers.RESYNC


async def test_browser_starts_over_after_the_broker_lost_events(socket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "_NEWEST", {"public": lambda pk: 7})
    late = socket("/ws/public/1?after=5")
    await late.watch()
    assert await late.receive() == {"type": "resync"}
    current = socket("/ws/public/1?after=7")
    await current.watch()
    publish("public/1", 8, {"type": "turn"})
    assert await current.receive() == {"seq": 8, "type": "turn"}
    await current.disconnect()


async def test_topic_without_a_rule_is_unknown(socket: Any) -> None:
    assert await closing_code(socket("/ws/nothing/1")) == consumers.UNKNOWN


@pytest.mark.parametrize("address", ["/ws/", "/ws/public/x", "/ws/public/1/2", "/elsewhere"])
async def test_address_without_a_topic_is_unknown(socket: Any, address: str) -> None:
    assert await closing_code(socket(address)) == consumers.UNKNOWN


async def test_topic_may_consist_of_its_prefix_alone(socket: Any) -> None:
    publish("public", 1, {"type": "news"})
    browser = socket("/ws/public")
    await browser.watch()
    assert await browser.receive() == {"seq": 1, "type": "news"}
    await browser.disconnect()


@pytest.mark.parametrize("after", ["", "-1", "x", "%00", "9" * 400, "٣"])
async def test_invalid_after_parameter_counts_as_nothing_seen(socket: Any, after: str) -> None:
    publish("public/1", 1, {"type": "turn"})
    browser = socket(f"/ws/public/1?after={after}")
    await browser.watch()
    assert await browser.receive() == {"seq": 1, "type": "turn"}
    await browser.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_viewer_without_permission_is_refused(socket: Any) -> None:
    assert await closing_code(socket("/ws/private/1")) == consumers.FORBIDDEN
    assert await closing_code(socket("/ws/private/1", cookie="sessionid=forged; x")) == consumers.FORBIDDEN


@pytest.mark.parametrize("other", ["lonely", "a/b=1", 'json={"a": [1, 2]}', 'q="', "\xff=\xff"])
def test_session_is_found_among_unusual_cookies(other: str) -> None:
    """The session cookie is found among malformed and other unusual cookies.

    Browsers send cookies to every port of a host, so those of other local programs arrive too.
    """
    for cookies in (f"{other}; sessionid=abc", f"sessionid=abc; {other}"):
        assert consumers._session_key([(b"cookie", cookies.encode("latin-1"))]) == "abc"


@pytest.mark.django_db
def test_session_opens_only_permitted_topics(django_user_model: Any) -> None:
    ada = django_user_model.objects.create_user("ada", password="correct horse")
    session = SessionStore()
    session[SESSION_KEY] = str(ada.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = ada.get_session_auth_hash()
    session.save()
    authorization = permission.authorize(Topic("private", 1), session.session_key)
    assert (authorization.access, authorization.reader.person) == (Access.GRANTED, ada.pk)
    assert permission.authorize(Topic("private", 1), None).access is Access.FORBIDDEN


@pytest.mark.django_db
def test_public_viewing_runs_no_database_queries() -> None:
    with CaptureQueriesContext(connection) as queries:
        authorization = permission.authorize(Topic("public", 1), "any-session")
    assert (authorization.access, authorization.reader.person) == (Access.GRANTED, None)
    assert not queries.captured_queries


def test_prefix_can_have_only_one_rule() -> None:
    rule = SimpleNamespace()
    topics.register("other", rule)  # type: ignore[arg-type]
    topics.register("other", rule)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="registered twice"):
        topics.register("other", lambda user, pk: True)
