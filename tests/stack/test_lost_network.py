"""A page catches up within two seconds of its machine waking up or regaining the network.

The browser reaches the site through a relay that tests cut; the expected state is fetched directly from the site.
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
MISSED = 10  # turns played while the page is disconnected

LAST_SHOWN = "() => Number(document.querySelector('[data-part=range]').max)"


@pytest.fixture(scope="module")
def match_path(arena_site: RunningSite, browser: Browser) -> Iterator[str]:
    """Yield the path of a golden-point match that plays ten rounds per second and outlasts these tests."""
    organizer = Visitor(browser, arena_site.address)
    organizer.sign_up("nora")
    arena_site.manage("organizer", "nora")
    page = organizer.page
    page.goto("/tournaments/new/?game=golden_point")
    page.get_by_label("Name", exact=True).fill("Long table")
    page.locator("[name=game-rounds]").fill("2000")
    page.locator("[name=start][value=now]").check()
    for bot in ("Steady", "Trend", "Last golden number"):
        page.get_by_label(f"{bot} v1").check()
    page.locator("[name=pace_seconds]").fill("0.1")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    match = page.locator("[data-part=matches] a")
    expect(match).to_be_visible()
    path = match.get_attribute("href")
    assert path
    yield path
    page.locator("form[action$='/cancel/'] button").first.click()
    expect(page.locator("#tournament-phase .badge")).to_have_text("Cancelled")
    organizer.close()


@dataclass(frozen=True, slots=True)
class WatchingVisitor:
    """A visitor who watches a match through the relay."""

    site: RunningSite
    relay: Relay
    visitor: Visitor
    path: str

    def open_match(self) -> None:
        page = self.visitor.page
        page.goto(self.path)
        page.wait_for_function(f"() => ({LAST_SHOWN})() >= 3")
        expect(page.locator(".replay-controls [data-part=connection]")).to_have_text("Connected")

    def played_turns(self) -> list[dict[str, Any]]:
        """Return the turns played so far, fetched directly from the site."""
        turns: list[dict[str, Any]] = self.site.json(f"{self.path}snapshot.json")["turns"]
        return turns

    def displayed_turn(self) -> int:
        return int(self.visitor.page.evaluate(LAST_SHOWN))

    def miss_turns(self) -> int:
        """Wait until the page has fallen behind; return the last turn that it shows."""
        before = self.displayed_turn()
        eventually(lambda: len(self.played_turns()) > before + MISSED, "the match does not continue")
        return self.displayed_turn()

    def expect_caught_up(self, missed_from: int) -> None:
        """Check that the page catches up within two seconds, and that every fourth turn that it missed is correct."""
        turns = self.played_turns()
        page = self.visitor.page
        page.wait_for_function(f"last => ({LAST_SHOWN})() >= last", arg=turns[-1]["number"], timeout=BACK_MS)
        for turn in turns[missed_from + 1 :: 4]:
            page.locator("[data-part=range]").fill(str(turn["number"]))
            expect(page.locator(".chart__value")).to_have_text(f"{turn['view']['golden']:.4f}")


@pytest.fixture
def watching_visitor(arena_site: RunningSite, browser: Browser, match_path: str) -> Iterator[WatchingVisitor]:
    """Yield a visitor who reaches the site through a relay."""
    relay = Relay(arena_site.port)
    visitor = Visitor(browser, relay.address)
    yield WatchingVisitor(arena_site, relay, visitor, match_path)
    visitor.close()
    relay.close()


def test_page_catches_up_after_a_broken_connection(watching_visitor: WatchingVisitor) -> None:
    watching_visitor.open_match()
    watching_visitor.relay.cut()
    behind = watching_visitor.miss_turns()
    controls = watching_visitor.visitor.page.locator(".replay-controls")
    expect(controls.locator("[data-part=connection]")).not_to_have_text("Connected")
    watching_visitor.relay.restore()
    watching_visitor.expect_caught_up(behind)


def test_page_catches_up_after_being_offline(watching_visitor: WatchingVisitor) -> None:
    """A page catches up even if its connections are open but dead when the browser reports that it is online again."""
    watching_visitor.open_match()
    watching_visitor.relay.drop_traffic()
    watching_visitor.visitor.context.set_offline(True)
    behind = watching_visitor.miss_turns()
    watching_visitor.relay.restore()
    watching_visitor.visitor.context.set_offline(False)
    watching_visitor.expect_caught_up(behind)


def test_page_catches_up_after_sleep(watching_visitor: WatchingVisitor) -> None:
    """A page catches up after its machine has slept.

    During sleep, no timers run and no events arrive, and nothing reports that the connection is dead.
    """
    clock = watching_visitor.visitor.page.clock
    clock.install()
    watching_visitor.open_match()
    watching_visitor.relay.drop_traffic()
    behind = watching_visitor.miss_turns()
    watching_visitor.relay.restore()
    clock.fast_forward("10:00")
    watching_visitor.expect_caught_up(behind)
