"""Visitors with browsers, each with a separate browser context, as if on separate machines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket, expect, sync_playwright

from tests.programs import find_program

PASSWORD = "much-longer-than-needed-7"
# Slow machines with two cores need seconds for what takes others milliseconds; nothing waits longer than necessary.
TIMEOUT_MS = 60_000

# Otherwise `expect` fails after 5 s, whatever timeout the context has.
expect.set_options(timeout=TIMEOUT_MS)

_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
# Click in a later task: a form ignores a submit request while it is already submitting.
_AGREE = """const agree = () => document.querySelector('dialog.confirm[open] [data-part=yes]')?.click();
  const dialogs = { subtree: true, childList: true, attributeFilter: ['open'] };
  new MutationObserver(() => setTimeout(agree)).observe(document, dialogs)"""
# For visitors who watch animations: boards, standings, cards.
WITH_MOTION: Final[Mapping[str, Any]] = {"reduced_motion": "no-preference"}
_MARK = "the page that was opened first"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a headless Chromium, which runs during the block.

    No event loop can be started in this thread while Chromium runs, so each test module closes it.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_program("chromium"), args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """A numbered event received through a socket."""

    topic: str  # "tournaments/3"
    event: Mapping[str, Any]
    socket: WebSocket


class Visitor:
    """A person and the page they are looking at.

    ``noise`` collects the browser's console messages, including CSP violations. ``agrees``: the visitor confirms every
    dialog.

    The browser prefers reduced motion by default: without a GPU, every pulsing badge on an open page keeps a core busy.
    """

    def __init__(self, browser: Browser, address: str, *, agrees: bool = True, **context: Any) -> None:
        self.context = browser.new_context(base_url=address, **{"reduced_motion": "reduce", **context})
        if agrees:
            self.context.add_init_script(_AGREE)
        self.context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = self.context.new_page()
        self.noise: list[str] = []
        self.frames: list[ReceivedEvent] = []
        self.name = ""
        self.page.on("console", self._collect_noise)
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("websocket", self._listen)

    def close(self) -> None:
        self.context.close()

    # --- what people do

    def sign_up(self, name: str) -> None:
        """Create an account through the form."""
        self.page.goto("/accounts/signup/")
        # Chromium logs a message if another field has the focus before it processes `autofocus`.
        expect(self.page.get_by_label("Username")).to_be_focused()
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("Email address").fill(f"{name}@school.example")
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.locator("[name=password2]").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_text(f"Welcome, {name}")).to_be_visible()
        self.name = name

    def upload_new_bot(self, game: str, bot: str, file: Path) -> str:
        """Upload a bot's first version, whose check the studio then shows; return the path of the full report."""
        self.page.goto("/bots/new/")
        self.page.get_by_label(game, exact=True).check()
        self.page.get_by_label("Name", exact=True).fill(bot)
        self.page.locator("input[type=file]").set_input_files(file)
        self.page.locator("form[data-upload] .form__actions button").click()
        self.page.wait_for_url(re.compile(r"/studio/\?submission=\d+$"))
        return f"/submissions/{self.page.url.rpartition('=')[2]}/"

    # --- checks

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    def mark_page(self) -> None:
        """Mark the page; a reload or a navigation would remove the mark."""
        self.page.evaluate("mark => { window.openedFirst = mark }", _MARK)

    def never_left(self) -> bool:
        """Return whether the page still has the mark that was set when it was opened."""
        return bool(self.page.evaluate("window.openedFirst") == _MARK)

    def events(self, topic: str) -> list[Mapping[str, Any]]:
        """Return the events that sockets have received about a topic so far, excluding pings."""
        return [frame.event for frame in self.frames if frame.topic == topic and "seq" in frame.event]

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]

    def _collect_noise(self, message: ConsoleMessage) -> None:
        if message.type != "debug" and not message.text.startswith("[DOM]"):  # the browser's own suggestions
            self.noise.append(f"{self.path}: {message.text}")

    def _listen(self, socket: WebSocket) -> None:
        topic = urlsplit(socket.url).path.removeprefix("/ws/")
        socket.on(
            "framereceived", lambda payload: self.frames.append(ReceivedEvent(topic, json.loads(payload), socket))
        )
