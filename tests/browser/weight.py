"""The weight of a page on a first visit: all requests, including WebSockets, and all transferred bytes."""

from __future__ import annotations

import math
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
    """Yield the page of a new visitor with an empty cache, and its recorded traffic, which every request updates."""
    visitor = Visitor(browser, address, **context)
    try:
        yield visitor.page, measure_traffic(visitor)
    finally:
        visitor.close()


def measure_traffic(visitor: Visitor, seconds: float = math.inf) -> Traffic:
    """Measure every page that the visitor opens from now on; return the recorded traffic, which every request updates.

    The browser's cache is disabled, so that each visit is a first visit. So is Brotli, which browsers accept over
    HTTPS and from the machine that they run on, but not over plain HTTP from other machines.

    ``seconds``: after the page has loaded, requests are counted for this long; later ones, such as that for the next
    live match, are ignored.
    """
    weight = Traffic()
    session = visitor.context.new_cdp_session(visitor.page)
    TrafficRecorder(weight, seconds).follow(session)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    visitor.context.set_extra_http_headers({"Accept-Encoding": "gzip, deflate"})
    return weight


def open_fully(page: Page, weight: Traffic, path: str) -> None:
    """Open ``path`` and wait for all its requests; load the icon too unless ``weight`` already includes it.

    Headless browsers skip icons."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    icon = page.locator("link[rel=icon]").first.get_attribute("href")
    assert icon is not None
    if not icon.startswith("data:") and icon not in weight.paths.values():
        page.evaluate("icon => fetch(icon).then(answer => answer.blob())", icon)
        page.wait_for_load_state("networkidle")


@dataclass  # without slots, because Playwright stores its wrapped handlers in the object
class TrafficRecorder:
    """A recorder of a page's requests and their bytes.

    ``seconds``: requests sent more than this long after the page has loaded are left out; ``end``: that moment in the
    browser's time, in seconds; ``late``: the requests left out; ``sockets``: paths of WebSockets by request.
    """

    weight: Traffic
    seconds: float
    end: float = math.inf
    sockets: dict[str, str] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)

    def follow(self, session: CDPSession) -> None:
        session.on("Page.loadEventFired", self.finish_loading)
        session.on("Network.requestWillBeSent", self.count_request)
        session.on("Network.loadingFinished", self.add_response_bytes)
        session.on("Network.webSocketCreated", self.name_websocket)
        session.on("Network.webSocketWillSendHandshakeRequest", self.count_websocket)
        session.on("Network.webSocketFrameReceived", self.add_websocket_bytes)
        session.send("Page.enable")
        session.send("Network.enable")

    def finish_loading(self, event: dict[str, Any]) -> None:
        self.end = event["timestamp"] + self.seconds

    def count_request(self, event: dict[str, Any]) -> None:
        if event["requestId"] == event["loaderId"]:  # the document of a new page
            self.end = math.inf
        url = event["request"]["url"]
        if event["timestamp"] > self.end:
            self.late.add(event["requestId"])
        elif not url.startswith(("data:", "blob:")):
            self.weight.paths[event["requestId"]] = urlsplit(url).path

    def add_response_bytes(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self.late:
            self.weight.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def name_websocket(self, event: dict[str, Any]) -> None:
        self.sockets[event["requestId"]] = urlsplit(event["url"]).path

    def count_websocket(self, event: dict[str, Any]) -> None:
        if event["timestamp"] > self.end:
            self.late.add(event["requestId"])
        else:
            path = self.sockets[event["requestId"]]
            self.weight.paths[path] = path  # counted once, because a WebSocket may reconnect on a busy machine

    def add_websocket_bytes(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        if request not in self.late:
            size = len(event["response"]["payloadData"].encode())
            self.weight.sizes[request] = self.weight.sizes.get(request, 0) + size
