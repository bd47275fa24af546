"""The presets of the tournament wizard are described in one line each."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.content import Content
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

# Texts in the presets that take more than one line, or that are wider than their box.
_WRAPPED = """texts => texts.filter((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    return lines.size > 1 || text.scrollWidth > text.clientWidth;
}).map((text) => text.textContent)"""


@pytest.mark.parametrize("width", [1440, 1920])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_preset_is_described_in_one_line(
    arena_site: RunningSite, browser: Browser, content: Content, width: int, language: str
) -> None:
    organizer = Visitor(
        browser, arena_site.address, storage_state=content.owner, viewport={"width": width, "height": 900}
    )
    organizer.context.add_cookies([{"name": "django_language", "value": language, "url": arena_site.address}])
    organizer.page.goto("/tournaments/new/")
    texts = organizer.page.locator(".preset > p")
    expect(texts).to_have_count(6)
    assert texts.evaluate_all(_WRAPPED) == []
    assert organizer.noise == []
    organizer.close()
