"""The weight of a page on a first visit: all requests, including WebSockets, and all transferred bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page

from tests.visitor import Visitor

MAX_BYTES: Final = 250_000
MAX_REQUESTS: Final = 15


@dataclass(slots=True)
class Traffic:
    """The requests of a page and the bytes that they transferred.

    ``sizes``: transferred bytes, headers included, by request; ``paths``: paths in the order of the requests.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        return len(self.paths)

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())

    def reset(self) -> None:
        self.sizes.clear()
        self.paths.clear()

    def __str__(self) -> str:
        lines = [f"{self.sizes.get(each, 0):>9,} {path}" for each, path in self.paths.items()]
        return "\n".join([f"{self.requests} requests, {self.bytes:,} bytes", *lines])


@contextmanager
def first_visit(browser: Browser, address: str, **context: Any) -> Iterator[tuple[Page, Traffic]]:
    """Yield the page of a new visitor whose cache is empty, and its traffic so far."""
    visitor = Visitor(browser, address, **context)
    try:
        yield visitor.page, measure_traffic(visitor)
    finally:
        visitor.close()


def measure_traffic(visitor: Visitor) -> Traffic:
    """Measure every page as on a first visit, with the browser's cache disabled."""
    weight = Traffic()
    session = visitor.context.new_cdp_session(visitor.page)
    _record_traffic(session, weight)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return weight


def open_fully(page: Page, weight: Traffic, path: str) -> None:
    """Open a page and wait for everything that it requests; also load its icon, which headless browsers skip."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    icon = page.locator("link[rel=icon]").first.get_attribute("href")
    assert icon is not None
    if not icon.startswith("data:") and icon not in weight.paths.values():
        page.evaluate("icon => fetch(icon).then(answer => answer.blob())", icon)
        page.wait_for_load_state("networkidle")


def _record_traffic(session: CDPSession, weight: Traffic) -> None:
    def count_request(event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if not url.startswith(("data:", "blob:")):
            weight.paths[event["requestId"]] = urlsplit(url).path

    def count_websocket(event: dict[str, Any]) -> None:
        path = urlsplit(event["url"]).path
        weight.paths[path] = path  # counted once, because a WebSocket may have to reconnect on a busy machine

    def add_response_bytes(event: dict[str, Any]) -> None:
        weight.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def add_websocket_bytes(event: dict[str, Any]) -> None:
        request = event["requestId"]
        weight.sizes[request] = weight.sizes.get(request, 0) + len(event["response"]["payloadData"].encode())

    session.on("Network.requestWillBeSent", count_request)
    session.on("Network.webSocketCreated", count_websocket)
    session.on("Network.loadingFinished", add_response_bytes)
    session.on("Network.webSocketFrameReceived", add_websocket_bytes)
    session.send("Network.enable")
