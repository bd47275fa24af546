"""A page that slept or lost the network is right again within two seconds of coming back.

The browser reaches the site through a relay that a test cuts; what is right is asked of the site itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite, eventually
from tests.stack.relay import Relay
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

BACK_MS = 2_000
MISSED = 10  # turns that pass while the page is away

LAST_SHOWN = "() => Number(document.querySelector('[data-part=range]').max)"


@pytest.fixture(scope="module")
def match_path(arena_site: RunningSite, browser: Browser) -> Iterator[str]:
    """A golden-point match that goes on for as long as these tests, at ten rounds a second."""
    organizer = Visitor(browser, arena_site.address)
    organizer.sign_up("nora")
    arena_site.manage("organizer", "nora")
    page = organizer.page
    page.goto("/tournaments/new/?game=golden_point")
    page.get_by_label("Name", exact=True).fill("Long table")
    page.get_by_label("Rounds per match").fill("2000")
    page.get_by_label("Now, with the house bots chosen below").check()
    for bot in ("Steady", "Trend", "Last golden number"):
        page.get_by_label(f"{bot} v1").check()
    page.get_by_label("Spectator delay (seconds)").fill("0.1")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    match = page.locator("[data-part=matches] a")
    expect(match).to_be_visible()
    path = match.get_attribute("href")
    assert path
    yield path
    page.get_by_role("button", name="Cancel the tournament").click()
    expect(page.locator("#tournament-phase .badge")).to_have_text("Cancelled")
    organizer.close()


@dataclass(frozen=True, slots=True)
class Watching:
    """Somebody who watches a match through a network that a test holds in its hands."""

    site: RunningSite
    relay: Relay
    visitor: Visitor
    path: str

    def begin(self) -> None:
        page = self.visitor.page
        page.goto(self.path)
        page.wait_for_function(f"() => ({LAST_SHOWN})() >= 3")
        expect(page.locator(".transport [data-part=connection]")).to_have_text("Connected")

    def now(self) -> list[dict[str, Any]]:
        """The turns that have been played by now, by the site's own account."""
        turns: list[dict[str, Any]] = self.site.json(f"{self.path}snapshot.json")["turns"]
        return turns

    def shown(self) -> int:
        return int(self.visitor.page.evaluate(LAST_SHOWN))

    def miss_turns(self) -> int:
        """Wait until the page has fallen behind; the last turn that it knows."""
        before = self.shown()
        eventually(lambda: len(self.now()) > before + MISSED, "the match does not go on")
        return self.shown()

    def expect_right(self, missed_from: int) -> None:
        """Within two seconds everything is there; then the turns that were missed are looked through."""
        turns = self.now()
        page = self.visitor.page
        page.wait_for_function(f"last => ({LAST_SHOWN})() >= last", arg=turns[-1]["number"], timeout=BACK_MS)
        for turn in turns[missed_from + 1 :: 4]:
            page.locator("[data-part=range]").fill(str(turn["number"]))
            expect(page.locator(".chart__value")).to_have_text(f"{turn['view']['golden']:.4f}")


@pytest.fixture
def watching(arena_site: RunningSite, browser: Browser, match_path: str) -> Iterator[Watching]:
    relay = Relay(arena_site.port)
    visitor = Visitor(browser, relay.address)
    yield Watching(arena_site, relay, visitor, match_path)
    visitor.close()
    relay.close()


def test_a_broken_connection(watching: Watching) -> None:
    watching.begin()
    watching.relay.cut()
    behind = watching.miss_turns()
    expect(watching.visitor.page.locator(".transport [data-part=connection]")).not_to_have_text("Connected")
    watching.relay.mend()
    watching.expect_right(behind)


def test_a_browser_that_was_offline(watching: Watching) -> None:
    """Its old connections are open and dead, the worst of it; the browser says when it is back."""
    watching.begin()
    watching.relay.lose()
    watching.visitor.context.set_offline(True)
    behind = watching.miss_turns()
    watching.relay.mend()
    watching.visitor.context.set_offline(False)
    watching.expect_right(behind)


def test_a_machine_that_slept(watching: Watching) -> None:
    """The lid was closed: no timer ran, no event came, and nobody tells the page that its connection is dead."""
    clock = watching.visitor.page.clock
    clock.install()
    watching.begin()
    watching.relay.lose()
    behind = watching.miss_turns()
    watching.relay.mend()
    clock.fast_forward("10:00")
    watching.expect_right(behind)
