"""Irreversible actions can be confirmed or cancelled with the keyboard, and confirmed without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.content import Content
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def test_escape_cancels_and_returns_focus_to_the_button(
    arena_site: RunningSite, browser: Browser, content: Content
) -> None:
    organizer = Visitor(browser, arena_site.address, agrees=False, storage_state=content.owner)
    page = organizer.page
    page.goto(content.open_tournament)
    button = page.locator("form[action$='/cancel/'] button").first
    button.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Keep the tournament")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    assert organizer.noise == []
    organizer.close()


def test_confirmation_works_without_javascript(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    organizer = Visitor(browser, arena_site.address, java_script_enabled=False, storage_state=content.owner)
    page = organizer.page
    page.goto(content.open_tournament)
    form = page.locator("form[action$='/cancel/']").first
    question = form.locator("input[name=_question]").input_value()
    form.locator("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question)
    page.get_by_role("link", name="No, go back").click()
    assert organizer.path == content.open_tournament
    organizer.close()
