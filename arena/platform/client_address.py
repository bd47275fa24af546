"""Find the network address of a client: the one place that decides it, for limits, lockouts and logs.

``ForwardedFor`` wraps the whole ASGI application and replaces the peer in ``scope["client"]`` by the client's address,
so every page (``REMOTE_ADDR``), socket and program interface sees the same one. Each trusted proxy appends the address
that it was asked from to ``X-Forwarded-For``: counting from the right end, nothing that a client wrote is believed.

Limits count by network: ``of_request(request)`` in a view, ``of_scope(scope)`` in plain ASGI.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest

from arena.platform.asgi import App, Receive, Scope, Send

# What one household or one machine is given of IPv6: whoever has one address has 2**64.
_HOUSEHOLD: Final = 64


class ForwardedFor:
    """ASGI middleware; ``proxies`` is how many proxies stand between a client and this process.

    With 0 the peer of the connection is the client and the headers mean nothing. A request with fewer entries than
    proxies did not pass all of them: its peer is the client.
    """

    def __init__(self, app: App, proxies: int) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._proxies and scope["type"] in ("http", "websocket"):
            scope = self._seen_through(scope)
        await self._app(scope, receive, send)

    def _seen_through(self, scope: Scope) -> Scope:
        address = _normal(self._named_by_proxy(scope, b"x-forwarded-for"))
        if not address:
            return scope
        seen = {**scope, "client": (address, 0)}
        secure = self._named_by_proxy(scope, b"x-forwarded-proto") == "https"
        if secure:
            seen["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        return seen

    def _named_by_proxy(self, scope: Scope, header: bytes) -> str:
        """What the outermost trusted proxy said; a header that is not a list has the one entry of the innermost."""
        lines = [value.decode("latin-1") for name, value in scope["headers"] if name == header]
        entries = ",".join(lines).split(",")
        if header == b"x-forwarded-proto" and len(entries) < self._proxies:
            return entries[-1].strip()
        return entries[-self._proxies].strip() if len(entries) >= self._proxies else ""


def of_request(request: HttpRequest) -> str:
    """The network that a Django request comes from."""
    return network(str(request.META.get("REMOTE_ADDR", "")))


def of_scope(scope: Mapping[str, Any]) -> str:
    """The network that an ASGI connection comes from."""
    return network(str((scope.get("client") or ("",))[0]))


def network(address: str) -> str:
    """The part of an address that one household has: all of IPv4, of IPv6 the first 64 bits."""
    parsed = _parsed(address)
    if parsed is None:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((int(parsed), _HOUSEHOLD), strict=False).network_address)


def _normal(entry: str) -> str:
    """The address in an entry of the header, which some proxies write with a port; "" where there is none."""
    host, bracket, _ = entry.removeprefix("[").partition("]")
    if not bracket and host.count(":") == 1:
        host = host.partition(":")[0]
    parsed = _parsed(host)
    return "" if parsed is None else str(parsed)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """IPv4 in IPv6 is IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
