"""People in front of browsers. Each has a browser context of their own, as if at a machine of their own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket, expect, sync_playwright

PASSWORD = "much-longer-than-needed-7"
# A slow machine with two cores needs seconds where others need moments; nothing waits longer than it must.
PATIENCE_MS = 60_000

# Otherwise `expect` fails after 5 s, whatever the context waits for.
expect.set_options(timeout=PATIENCE_MS)

_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
# Later than at once: a form that is just being sent takes no second request to be sent.
_AGREE = """const agree = () => document.querySelector('dialog.confirm[open] [data-part=yes]')?.click();
  const dialogs = { subtree: true, childList: true, attributeFilter: ['open'] };
  new MutationObserver(() => setTimeout(agree)).observe(document, dialogs)"""
# For those who watch what moves: boards, standings, cards.
WITH_MOTION: Final[Mapping[str, Any]] = {"reduced_motion": "no-preference"}
_MARK = "the page that was opened first"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Headless Chromium. While it runs no event loop can be started in this thread: close it after a module."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True, slots=True)
class Frame:
    """A numbered event as it came through a socket."""

    topic: str  # "tournaments/3"
    event: Mapping[str, Any]


class Visitor:
    """A person and the page they look at. ``noise`` holds what the browser complained about, CSP included.

    They prefer reduced motion unless it is watched: without a GPU every pulsing badge on an open page costs a core.
    ``agrees``: whether they say yes to every question of the page.
    """

    def __init__(self, browser: Browser, address: str, *, agrees: bool = True, **context: Any) -> None:
        self.context = browser.new_context(base_url=address, **{"reduced_motion": "reduce", **context})
        if agrees:
            self.context.add_init_script(_AGREE)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.noise: list[str] = []
        self.frames: list[Frame] = []
        self.name = ""
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("websocket", self._listen)

    def close(self) -> None:
        self.context.close()

    # --- what people do

    def sign_up(self, name: str) -> None:
        """Fill in the form, as a newcomer does."""
        self.page.goto("/accounts/signup/")
        # Chromium logs a message if another field has the focus before it processes `autofocus`.
        expect(self.page.get_by_label("User name")).to_be_focused()
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Email address").fill(f"{name}@school.example")
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_label("Password confirmation").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_text(f"Welcome, {name}")).to_be_visible()
        self.name = name

    def upload_new_bot(self, game: str, bot: str, file: Path) -> str:
        """Upload a bot's first version; the path of the page that shows its check."""
        self.page.goto("/bots/new/")
        self.page.get_by_label(game, exact=True).check()
        self.page.get_by_label("Name", exact=True).fill(bot)
        self.page.locator("input[type=file]").set_input_files(file)
        self.page.get_by_role("button", name="Upload and check").click()
        self.page.wait_for_url(re.compile(r"/submissions/\d+/$"))
        return self.path

    # --- what they see

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    def mark_page(self) -> None:
        """Leave a mark that a reload or a navigation would wipe off."""
        self.page.evaluate("mark => { window.openedFirst = mark }", _MARK)

    def never_left(self) -> bool:
        """Whether this is still the very page that was marked."""
        return bool(self.page.evaluate("window.openedFirst") == _MARK)

    def events(self, topic: str) -> list[Mapping[str, Any]]:
        """What came through sockets about a topic so far, without the pings."""
        return [frame.event for frame in self.frames if frame.topic == topic and "seq" in frame.event]

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type != "debug" and not message.text.startswith("[DOM]"):  # the browser's own suggestions
            self.noise.append(f"{self.path}: {message.text}")

    def _listen(self, socket: WebSocket) -> None:
        topic = urlsplit(socket.url).path.removeprefix("/ws/")
        socket.on("framereceived", lambda payload: self.frames.append(Frame(topic, json.loads(payload))))
