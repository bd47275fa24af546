"""A person plays against a house bot: on the board, by keyboard, over a reload and a lost network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def begin(page: Page, address: str) -> None:
    page.goto(f"{address}/play/")
    page.get_by_label("Another bot", exact=False).first.check()
    page.locator("select[name=bot]").select_option(label="Random move")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))


def moves(page: Page) -> int:
    return page.locator("[data-part=moves] li").count()


def await_my_turn(page: Page, played: int) -> None:
    """Until both have moved so often that it is this turn; a pass of the other's may bring another."""
    page.wait_for_function(
        "n => document.querySelectorAll('[data-part=moves] li').length >= n"
        " && document.querySelector('.board.is-playable')",
        arg=played,
    )


def test_a_guest_plays_reloads_loses_the_network_and_resigns(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    begin(page, arena_site.address)
    await_my_turn(page, 0)
    page.locator(".square.is-legal").first.click()
    page.reload()  # while the bot's answer is under way
    await_my_turn(page, 2)

    visitor.context.set_offline(True)
    page.get_by_role("group", name="Play on the board, or here:").get_by_role("button").first.press("Enter")
    page.get_by_role("alert").filter(has_text="sent again").wait_for()
    visitor.context.set_offline(False)
    await_my_turn(page, 4)
    visitor.noise.clear()  # what the browser says of a network that is not there

    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Rematch: you play white").wait_for()
    page.locator("[data-part=result]").filter(has_text="Guest resigned").wait_for()
    assert visitor.noise == []
    visitor.close()
