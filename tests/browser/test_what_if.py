"""The what-if form updates the golden number while the reader types other numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = pytest.mark.browser


def test_golden_number_updates_on_every_keystroke(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.goto("/analysis/golden-point/recordings/example/")
    page.get_by_label("Round", exact=True).fill("1")
    message = page.locator("[data-what-if] [role=status]")
    unchanged = re.compile(r"^\D*1\D+9\.0437\D*$")  # one golden number, not two
    expect(message).to_have_text(unchanged)
    page.get_by_label("First number", exact=True).fill("99")
    expect(message).not_to_have_text(unchanged)
    expect(message).to_contain_text("9.0437")
    page.get_by_label("First number", exact=True).fill("100")
    expect(message).not_to_contain_text("9.0437")
    expect(page.locator("[data-what-if] [data-part=then]")).to_be_hidden()
    assert visitor.noise == []
    visitor.close()
