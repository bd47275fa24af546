"""A tournament page updates without disturbing the organizer's input."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.content import Content
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def test_new_entry_does_not_disturb_a_half_filled_form(
    arena_site: RunningSite, browser: Browser, content: Content
) -> None:
    organizer = Visitor(browser, arena_site.address, storage_state=content.owner)
    page = organizer.page
    page.goto("/tournaments/new/?game=reversi")
    page.get_by_label("Name", exact=True).fill("By invitation")
    page.locator("[name=entry_policy][value=invited]").check()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("textbox", name="Submission deadline").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+/$"))
    page.locator("summary", has_text="Invitations").click()
    names = page.get_by_label("Usernames")
    names.fill("ada, ben")
    page.get_by_role("heading", level=1).click()  # moves the focus out of the field

    other_tab = organizer.context.new_page()
    other_tab.goto(organizer.path)
    other_tab.locator("form[action$='/enter/'] button").click()

    expect(page.locator("tr[data-entry]")).to_have_count(1)
    expect(page.locator("#tournament-feed")).to_contain_text("Corner lover")  # not the bot that failed its check
    expect(names).to_be_visible()
    expect(names).to_have_value("ada, ben")
    assert organizer.noise == []
    organizer.close()
