"""A person plays a game of cards: by mouse and keyboard, taking a choice back, over a reload, and to its end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def begin(page: Page) -> None:
    page.goto("/play/?game=suit_pairs")
    page.get_by_label("Random action", exact=False).check()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))


def test_a_choice_is_taken_back_and_a_pair_goes_to_the_pile(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    begin(page)
    own = page.locator(".card-table__player.is-own")
    first = own.locator("button.playing-card").first
    first.press("Enter")
    expect(own.locator(".is-chosen")).to_have_count(1)
    expect(page.locator(".card-table__advice")).to_have_text("Choose its partner on the table.")
    page.keyboard.press("Escape")
    expect(own.locator(".is-chosen")).to_have_count(0)
    expect(page.locator("[data-part=table] button.playing-card")).to_have_count(0)
    page.locator("[data-way=capture]").click()
    expect(page.locator(".card-table__advice")).to_have_text("Choose two cards of your hand for your pile.")
    page.get_by_role("button", name="Take back").click()
    own.locator("button.playing-card").first.click()
    page.locator("[data-part=table] button.playing-card").first.click()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(own.locator("button.playing-card").first).to_be_visible()  # the opponent's turn was shown
    page.reload()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(page.locator(".card-table__player:not(.is-own) [data-part=hand] [data-card]")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.locator("[data-part=result]").filter(has_text="You lost: you resigned").wait_for()
    assert visitor.noise == []
    visitor.close()
