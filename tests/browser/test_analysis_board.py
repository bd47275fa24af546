"""Moves on the analysis board count even if they are made faster than the site responds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.running_site import RunningSite
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def test_two_fast_clicks_both_count(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, **WITH_MOTION)
    page = visitor.page
    page.goto("/reversi/board/")
    held: list[Route] = []
    page.route(re.compile(r"click=D3"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"click=D3")):
        page.locator("[data-square=D3]").click()
    page.locator("[data-square=C3]").click()  # the response to the first click is still pending
    page.wait_for_timeout(200)
    assert len(held) == 1
    held[0].continue_()
    expect(page).to_have_url(re.compile(r"moves=D3C3"))
    expect(page.locator("[data-square=C3] .disc[data-side=O]")).to_be_visible()
    assert visitor.noise == []
    visitor.close()
