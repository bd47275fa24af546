"""Determine a client's network address, in one place for all limits, lockouts and logs.

``ForwardedFor`` wraps the whole ASGI application and replaces the peer in ``scope["client"]`` with the client's
address, so every page (``REMOTE_ADDR``), socket and API sees the same address. Each trusted proxy appends the address
of its client to ``X-Forwarded-For``. Entries are counted from the right, so nothing that a client wrote is trusted.

Limits count by network: ``network_of_request(request)`` in a view, ``network_of_scope(scope)`` in plain ASGI.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest

from arena.platform.asgi import App, Receive, Scope, Send

# IPv6 prefix length for one household or machine: a client has 2**64 addresses.
_HOUSEHOLD: Final = 64


class ForwardedFor:
    """ASGI middleware; ``proxies`` is the number of proxies between a client and this process.

    If there are no proxies, the peer of the connection is the client, and the headers are ignored. A request with fewer
    entries than proxies has bypassed some of the proxies, so its peer counts as the client.
    """

    def __init__(self, app: App, proxies: int) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._proxies and scope["type"] in ("http", "websocket"):
            scope = self._with_client_address(scope)
        await self._app(scope, receive, send)

    def _with_client_address(self, scope: Scope) -> Scope:
        address = _address_in_entry(self._proxy_entry(scope, b"x-forwarded-for"))
        if not address:
            return scope
        seen = {**scope, "client": (address, 0)}
        secure = self._proxy_entry(scope, b"x-forwarded-proto") == "https"
        if secure:
            seen["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        return seen

    def _proxy_entry(self, scope: Scope, header: bytes) -> str:
        """Return the outermost trusted proxy's entry in ``header``; "" if it has too few entries.

        If X-Forwarded-Proto has too few entries, return its last one instead.
        """
        lines = [value.decode("latin-1") for name, value in scope["headers"] if name == header]
        entries = ",".join(lines).split(",")
        if header == b"x-forwarded-proto" and len(entries) < self._proxies:
            return entries[-1].strip()
        return entries[-self._proxies].strip() if len(entries) >= self._proxies else ""


def network_of_request(request: HttpRequest) -> str:
    """Return the network that a Django request comes from."""
    return network(str(request.META.get("REMOTE_ADDR", "")))


def network_of_scope(scope: Mapping[str, Any]) -> str:
    """Return the network that an ASGI connection comes from."""
    return network(str((scope.get("client") or ("",))[0]))


def network(address: str) -> str:
    """Return the network of one subscriber: the full address for IPv4, the first 64 bits for IPv6."""
    parsed = _parse_address(address)
    if parsed is None:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((int(parsed), _HOUSEHOLD), strict=False).network_address)


def _address_in_entry(entry: str) -> str:
    """Return the address in an entry of the header, without a port; "" if it is invalid."""
    host, bracket, _ = entry.removeprefix("[").partition("]")
    if not bracket and host.count(":") == 1:
        host = host.partition(":")[0]
    parsed = _parse_address(host)
    return "" if parsed is None else str(parsed)


def _parse_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an address; unwrap IPv4-mapped IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
