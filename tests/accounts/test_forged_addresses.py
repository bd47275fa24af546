"""Clients cannot evade lockouts or rate limits by forging X-Forwarded-For; requests go through the whole ASGI app."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.urls import reverse
from pytest_django import Settings

from arena.platform.client_address import ForwardedFor
from arena.play.models import Duel
from tests.play.duels import house_bot

# Views query the database in separate threads, which see only committed data.
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:Django checks for ServeStatic"),  # issued once, when the application is imported
]

TOKEN = "t" * 32
PEER = "10.0.0.2"
# Without proxies, the client controls the whole header; each proxy appends one entry to what the client sent.
FORGED = [(0, "192.0.2.{n}"), (1, "192.0.2.{n}, 198.51.100.7"), (2, "192.0.2.{n}, 198.51.100.7, 10.0.0.1")]


async def post(proxies: int, path: str, data: dict[str, str], forwarded: str, peer: str = PEER) -> int:
    """Post a form from the address ``peer`` through the ASGI app, and return the response's status.

    ``proxies``: how many proxies the app trusts; ``forwarded``: the value of X-Forwarded-For.
    """
    from arena.asgi import protocols

    body = urlencode({"csrfmiddlewaretoken": TOKEN, **data}).encode()
    headers = {
        "host": "127.0.0.1",
        "cookie": f"csrftoken={TOKEN}",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(body)),
        "x-forwarded-for": forwarded,
        "x-real-ip": "192.0.2.200",
        "forwarded": "for=192.0.2.201",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": (peer, 4711),
        "server": ("127.0.0.1", 8000),
    }
    browser = ApplicationCommunicator(ForwardedFor(protocols, proxies), scope)
    await browser.send_input({"type": "http.request", "body": body, "more_body": False})
    answer: Any = await browser.receive_output(timeout=60)
    while (await browser.receive_output(timeout=60)).get("more_body"):
        pass
    await browser.wait()
    return int(answer["status"])


async def log_in(proxies: int, name: str, forwarded: str, peer: str = PEER) -> int:
    return await post(proxies, reverse("login"), {"username": name, "password": "wrong"}, forwarded, peer)


@pytest.mark.parametrize(("proxies", "header"), FORGED)
async def test_forged_address_does_not_evade_the_login_limit_of_a_network(
    settings: Settings, proxies: int, header: str
) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 3
    answers = [await log_in(proxies, f"name{n}", header.format(n=n)) for n in range(5)]
    assert answers == [200, 200, 200, 429, 429]


@pytest.mark.parametrize(("proxies", "header"), FORGED)
async def test_forged_address_does_not_evade_the_lockout_of_a_username(
    settings: Settings, proxies: int, header: str
) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    answers = [await log_in(proxies, "ada", header.format(n=n)) for n in range(5)]
    assert answers == [200, 200, 429, 429, 429]


async def test_clients_behind_a_proxy_have_separate_limits(settings: Settings) -> None:
    settings.FAILED_LOGINS_AN_HOUR = 1
    answers = [await log_in(1, f"name{n}", f"198.51.100.{n}") for n in range(3)]
    assert answers == [200, 200, 200]
    assert await log_in(1, "name0", "192.0.2.9, 198.51.100.0") == 429


@pytest.mark.parametrize(("proxies", "header"), FORGED)
async def test_forged_address_does_not_evade_the_match_limit_of_guests(
    settings: Settings, proxies: int, header: str
) -> None:
    settings.GUEST_DUELS_AN_HOUR = 1
    bot = await sync_to_async(house_bot)()
    wish = {"level": str(bot.pk), "seat": "0", "clock": "600"}
    answers = [await post(proxies, reverse("play"), wish, header.format(n=n)) for n in range(3)]
    assert answers == [302, 429, 429], "every guest is somebody new, of the same address"
    assert await sync_to_async(Duel.objects.count)() == 1
