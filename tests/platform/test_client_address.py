"""The client address is read from the right of X-Forwarded-For, so values sent by the client have no effect."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.platform import client_address
from arena.platform.client_address import ForwardedFor

PROXY = "10.0.0.2"


async def scope_behind_proxies(
    proxies: int, *lines: str, kind: str = "http", peer: str | None = PROXY, proto: str = ""
) -> Any:
    """Return the ASGI scope that the application receives for these header lines."""
    found: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        found.update(scope)

    headers = [(b"host", b"arena.example"), *((b"x-forwarded-for", line.encode()) for line in lines)]
    if proto:
        headers.append((b"x-forwarded-proto", proto.encode()))
    scheme = "ws" if kind == "websocket" else "http"
    scope = {"type": kind, "scheme": scheme, "headers": headers, "client": peer and (peer, 4711)}
    await ApplicationCommunicator(ForwardedFor(application, proxies), scope).wait()
    return found


async def address(proxies: int, *lines: str, kind: str = "http") -> str:
    scope = await scope_behind_proxies(proxies, *lines, kind=kind)
    return str(scope["client"][0])


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_forwarded_headers_are_ignored_without_proxies(kind: str) -> None:
    assert await address(0, "192.0.2.1", kind=kind) == PROXY
    assert (await scope_behind_proxies(0, "192.0.2.1", kind=kind, proto="https"))["scheme"] in ("http", "ws")


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("proxies", "lines", "expected"),
    [
        (1, ("198.51.100.7",), "198.51.100.7"),
        (1, ("192.0.2.1, 198.51.100.7",), "198.51.100.7"),  # the first value was sent by the client
        (1, ("192.0.2.1", "198.51.100.7"), "198.51.100.7"),  # sent by the client as a separate header line
        (2, ("192.0.2.1, 198.51.100.7, 10.0.0.1",), "198.51.100.7"),
        (2, ("192.0.2.1, 192.0.2.2", "198.51.100.7", "10.0.0.1"), "198.51.100.7"),
        (1, ("198.51.100.7:5123",), "198.51.100.7"),
        (1, ("[2001:db8::7]:5123",), "2001:db8::7"),
        (1, ("2001:DB8:0::7",), "2001:db8::7"),
        (1, ("::ffff:198.51.100.7",), "198.51.100.7"),
    ],
)
async def test_address_is_read_behind_the_configured_number_of_proxies(
    kind: str, proxies: int, lines: tuple[str, ...], expected: str
) -> None:
    assert await address(proxies, *lines, kind=kind) == expected


@pytest.mark.parametrize("lines", [(), ("",), ("unknown",), ("198.51.100.7, ",), ("' OR 1=1",), ("9" * 5000,)])
async def test_request_that_bypassed_the_proxy_has_its_peer_address(lines: tuple[str, ...]) -> None:
    assert await address(1, *lines) == PROXY


async def test_fewer_entries_than_proxies_are_ignored() -> None:
    assert await address(2, "192.0.2.1") == PROXY


async def test_connection_without_an_address_has_no_client_address() -> None:
    scope = await scope_behind_proxies(0, peer=None)
    assert client_address.network_of_scope(scope) == ""


@pytest.mark.parametrize(("kind", "scheme"), [("http", "https"), ("websocket", "wss")])
@pytest.mark.parametrize("proto", ["https", "http, https"])
async def test_proxy_that_terminates_tls_sets_the_scheme(kind: str, scheme: str, proto: str) -> None:
    assert (await scope_behind_proxies(1, "198.51.100.7", kind=kind, proto=proto))["scheme"] == scheme
    assert (await scope_behind_proxies(1, "198.51.100.7", kind=kind, proto="http"))["scheme"] != scheme


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
    ],
)
def test_addresses_of_one_household_share_a_network(one: str, other: str) -> None:
    assert client_address.network(one) == client_address.network(other)


@pytest.mark.parametrize(
    ("one", "other"), [("2001:db8:1:2::1", "2001:db8:1:3::1"), ("198.51.100.7", "198.51.100.8"), ("", "::1")]
)
def test_neighbours_have_different_networks(one: str, other: str) -> None:
    assert client_address.network(one) != client_address.network(other)
