"""The page of a match that is too long to send as a whole loads the end first, and other turns on demand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.content import HOUSE_BOTS, Content, start_tournament, wait_until_over
from tests.browser.test_weight import MAX_MATCH_REQUESTS
from tests.browser.weight import MAX_BYTES, first_visit, open_fully
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

ROUNDS = 1000  # with three seats, about 600 kB of turns


@pytest.fixture(scope="module")
def long_match(arena_site: RunningSite, browser: Browser, content: Content) -> str:
    organizer = Visitor(browser, arena_site.address, storage_state=content.owner)
    try:
        start_tournament(organizer, "golden_point", HOUSE_BOTS["golden_point"], ROUNDS)
        wait_until_over(organizer)
        return organizer.page.locator("[data-part=matches] a").first.get_attribute("href") or ""
    finally:
        organizer.close()


def test_any_turn_of_a_long_match_can_be_opened(arena_site: RunningSite, browser: Browser, long_match: str) -> None:
    with first_visit(browser, arena_site.address) as (page, weight):
        open_fully(page, weight, long_match)
        expect(page.locator("[data-part=position]")).to_have_text(f"Round {ROUNDS} of {ROUNDS}")
        assert weight.requests <= MAX_MATCH_REQUESTS, weight
        assert weight.bytes <= MAX_BYTES, weight
        assert not [path for path in weight.paths.values() if "/turns/" in path], weight
        caption = page.locator(".chart__round")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(caption).to_have_text(re.compile(rf"\b1\b.*\b{ROUNDS}\b"))
        expect(page.locator("[data-part=moves-body] tr")).to_have_count(3)
        expect(page).to_have_url(re.compile(r"\?at=1$"))
        assert [path for path in weight.paths.values() if "/turns/" in path], weight
        page.goto(f"{long_match}?at=500")
        expect(caption).to_have_text(re.compile(rf"\b500\b.*\b{ROUNDS}\b"))
        expect(page.locator("[data-part=scores] [data-part=numbers]").first).to_have_text(re.compile(r"\d"))
        page.locator("#moves-seat").select_option("1")
        expect(page.locator("[data-part=moves-body] a").first).to_have_text(str(ROUNDS))
        page.locator("[data-moves=next]").click()
        expect(page.locator("[data-part=moves-body] tr")).to_have_count(50)
        expect(page.locator("[data-part=moves-body] a").first).to_have_text(str(ROUNDS - 50))
