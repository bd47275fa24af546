"""Embedded matches and standings show everything without scrolling, at the sizes that oEmbed announces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.content import HOUSE_BOTS, Content
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

_IS_CUT = (
    "() => document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
)
_OUTSIDE = """boxes => boxes.map(box => box.getBoundingClientRect())
    .filter(box => box.height > 0 && (box.bottom > innerHeight || box.right > innerWidth)).length"""

# Whether the board is as high or as wide as the frame permits.
_FILLS_FRAME = """() => {
    const { width, height } = document.querySelector('.live-match [data-part=display]').getBoundingClientRect();
    return height > 0.75 * innerHeight || width > 0.85 * innerWidth;
}"""
_TITLE_SIZE = "title => parseFloat(getComputedStyle(title).fontSize) * title.currentCSSZoom"


@pytest.fixture
def visitor(arena_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, arena_site.address)
    yield visitor
    assert visitor.noise == []
    visitor.close()


def open_frame(page: Page, site: RunningSite, path: str, limits: str) -> dict[str, Any]:
    """Open a page's embeddable version at the size that oEmbed gives for ``limits``; return the oEmbed response."""
    found: dict[str, Any] = site.json(f"/oembed?url={quote(site.address + path)}{limits}")
    page.set_viewport_size({"width": found["width"], "height": found["height"]})
    page.goto(urlsplit(found["html"].split('src="')[1].split('"')[0]).path)
    return found


@pytest.mark.parametrize("game", HOUSE_BOTS)
@pytest.mark.parametrize("limits", ["", "&maxwidth=360"])
def test_embedded_match_and_standings_fit_their_frame(
    visitor: Visitor, arena_site: RunningSite, content: Content, game: str, limits: str
) -> None:
    page = visitor.page
    open_frame(page, arena_site, content.over_match[game], limits)
    expect(page.locator("[data-part=sentence]")).not_to_be_empty()
    page.wait_for_function(f"() => !({_IS_CUT})()")  # the board has been drawn and shrunk
    assert page.locator(".live-match, .embed__foot").evaluate_all(_OUTSIDE) == 0
    open_frame(page, arena_site, content.over[game], limits)
    expect(page.locator("[data-part=standings] tbody tr").first).to_be_visible()
    assert not page.evaluate(_IS_CUT)
    assert page.locator("[data-part=standings] tbody tr, .embed__foot").evaluate_all(_OUTSIDE) == 0


@pytest.mark.parametrize("game", HOUSE_BOTS)
def test_board_fills_a_large_frame_and_a_small_one_keeps_its_title_legible(
    visitor: Visitor, content: Content, game: str
) -> None:
    page = visitor.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/embed{content.over_match[game]}")
    page.wait_for_function(f"() => ({_FILLS_FRAME})() && !({_IS_CUT})()")
    page.set_viewport_size({"width": 400, "height": 300})
    page.wait_for_function(f"() => !({_IS_CUT})()")
    assert page.locator(".live-match, .embed__foot").evaluate_all(_OUTSIDE) == 0
    assert page.locator(".live-match__title").evaluate(_TITLE_SIZE) >= 12
