"""The scenes of the big screen fit a projector without scrolling."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.games.registry import GAMES
from tests.browser.audit import PHONE, Look, apply_look, layout_faults
from tests.browser.content import Content, start_tournament, wait_until_over
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

ADDRESSES = {"bracket": "brackets", "standings": "standings"}
SHOWN = {"bracket": ".encounter", "standings": "[data-part=standings] tbody tr"}
SCREENS = ((1920, 1080), (1366, 768))
KNOCKOUT = ("Random move", "Most discs", "Corners", "Least mobility")
_OUTSIDE = """boxes => boxes.map(box => box.getBoundingClientRect())
    .filter(box => box.height > 0 && (box.bottom > innerHeight || box.right > innerWidth)).length"""

# Repeats a caption, and returns whether the board is then below the text and on the screen.
_CAPTION = """times => {
    const caption = document.querySelector('.tv-caption');
    caption.hidden = false;
    caption.textContent = 'Random direction lost the most on turn 123: left lost 456.7 points. '.repeat(times);
}"""
_FITS = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [text, board] = [box('.tv-match__side'), box('.tv-match__display .live-match')];
    return text.bottom <= board.top + 1 && text.top >= 0 && board.height > 100 && board.bottom <= innerHeight + 1;
}"""
# Records the font size of each number that charts write, in CSS pixels of the canvas.
_RECORD_FONTS = """window.sizes = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        if (/^\\d+$/.test(text)) window.sizes.push(parseFloat(this.font.match(/[\\d.]+px/)[0]) / devicePixelRatio);
        return write.call(this, text, ...rest);
    };"""


# Replaces the programme in the page before scripts read it.
_FIRST_PROGRAMME = """document.addEventListener('readystatechange', () => {
    const first = document.getElementById('tv-programme');
    if (first) first.textContent = PROGRAMME;
});"""
# The font sizes of a card's texts, in CSS pixels of the window.
_CARD_TEXTS = """() => {
    const card = document.querySelector('.live-match');
    const texts = card.querySelectorAll('.badge, .card__head .small, .chart__round, .board__label, .live-match__line');
    return [...texts].map(text => {
        let size = parseFloat(getComputedStyle(text).fontSize);
        for (let box = text; box; box = box.parentElement) size *= Number(box.style.zoom) || 1;
        return size;
    });
}"""
_CAPTION_IS_ONE_LINE = """() => {
    const caption = document.querySelector('.tv-caption');
    return caption.clientHeight < 2 * parseFloat(getComputedStyle(caption).fontSize);
}"""


def show_only(page: Page, scene: dict[str, Any]) -> None:
    """Let the big screen show only this scene."""
    programme = {"scenes": [scene]}
    page.add_init_script(_FIRST_PROGRAMME.replace("PROGRAMME", json.dumps(json.dumps(programme))))
    page.route("**/tv/programme.json*", lambda route: route.fulfill(json=programme))


def show_match(page: Page, match: str, query: str = "") -> None:
    """Let the big screen show only this match. ``match``: the path of its page."""
    show_only(page, {"kind": "match", "id": int(match.split("/")[2]), "url": f"/tv{match}", "weight": 1})
    page.goto(f"/tv/{query}")
    expect(page.locator(".tv-match__display .live-match")).to_be_visible()
    expect(page.locator(".tv-match__score").first).not_to_be_empty()


@pytest.mark.parametrize("query", ["", "?overlay=1"])
@pytest.mark.parametrize("size", SCREENS)
def test_board_makes_room_for_a_caption_that_grows(
    arena_site: RunningSite, browser: Browser, content: Content, size: tuple[int, int], query: str
) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    show_match(page, content.over_match["fib2584"], query)
    for times in (1, 2, 4, 16, 1):
        page.evaluate(_CAPTION, times)
        page.wait_for_function(_FITS, timeout=5_000)
    assert visitor.noise == []
    visitor.close()


def test_first_scene_waits_for_no_programme(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    visitor = Visitor(browser, arena_site.address)
    visitor.page.route("**/tv/programme.json*", lambda route: None)  # never answered
    visitor.page.goto(f"/tv/?tournament={content.over['reversi'].strip('/').split('/')[-1]}")
    expect(visitor.page.locator("[data-scene]")).to_be_visible()
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("game", GAMES)
def test_texts_on_a_card_can_be_read_from_afar(
    arena_site: RunningSite, browser: Browser, content: Content, game: str
) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1920, "height": 1080})
    show_match(visitor.page, content.over_match[game])
    assert min(visitor.page.evaluate(_CARD_TEXTS)) >= 26
    visitor.close()


@pytest.mark.parametrize("game", GAMES)
def test_match_has_no_layout_faults_on_a_phone(
    arena_site: RunningSite, browser: Browser, content: Content, game: str
) -> None:
    visitor = Visitor(browser, arena_site.address)
    phone = Look("light", *PHONE)
    apply_look(visitor.page, phone)
    show_match(visitor.page, content.over_match[game])
    assert layout_faults(visitor.page, phone) == []
    assert visitor.noise == []
    visitor.close()


def test_chart_and_caption_use_the_width(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1920, "height": 1080})
    page = visitor.page
    show_match(page, content.over_match["golden_point"])
    page.evaluate(_CAPTION, 1)
    page.wait_for_function(_CAPTION_IS_ONE_LINE)
    box = page.locator(".live-match .chart__plot").bounding_box()
    assert box
    assert box["width"] > 0.85 * 1920
    assert box["height"] > 0.35 * 1080
    visitor.close()


def test_axes_of_a_chart_can_be_read_from_afar(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1920, "height": 1080})
    visitor.page.add_init_script(_RECORD_FONTS)
    show_match(visitor.page, content.over_match["golden_point"])
    visitor.page.wait_for_function("() => window.sizes.length > 0")
    zoom = visitor.page.evaluate("Number(document.querySelector('.live-match').style.zoom) || 1")
    assert min(visitor.page.evaluate("window.sizes")) * zoom >= 24
    visitor.close()


@pytest.fixture(scope="module")
def knockout(arena_site: RunningSite, browser: Browser, content: Content) -> Iterator[int]:
    """Yield the id of a finished knockout."""
    organizer = Visitor(browser, arena_site.address, storage_state=content.owner)
    path = start_tournament(organizer, "reversi", KNOCKOUT, format_="knockout")
    wait_until_over(organizer)
    yield int(path.strip("/").split("/")[-1])
    organizer.close()


@pytest.fixture(scope="module")
def class_cup(arena_site: RunningSite) -> int:
    """Create a finished tournament with 30 entries; return its id."""
    code = "from tests.browser.rows import create_class_cup; print(create_class_cup())"
    return int(arena_site.manage("shell", "-c", code).splitlines()[-1])


@pytest.mark.parametrize("size", SCREENS)
def test_podium_comes_first_and_standings_with_few_rows_fill_the_screen(
    arena_site: RunningSite, browser: Browser, knockout: int, size: tuple[int, int]
) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    page.goto(f"/tv/?tournament={knockout}")
    expect(page.locator("[data-scene]")).to_have_attribute("data-scene", "podium")
    places = page.locator(".podium__place")
    expect(places.first).to_be_in_viewport(ratio=1)
    assert places.evaluate_all(_OUTSIDE) == 0
    first = places.first.bounding_box()
    assert first
    assert first["height"] > size[1] / 2
    show_only(page, {"kind": "standings", "id": knockout, "url": f"/tv/standings/{knockout}/", "weight": 1})
    page.goto(f"/tv/?tournament={knockout}")
    rows = page.locator(SHOWN["standings"])
    expect(rows.last).to_be_in_viewport(ratio=1)
    last = rows.last.bounding_box()
    assert last
    assert last["y"] + last["height"] > size[1] * 0.75
    assert visitor.noise == []
    visitor.close()


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("kind", ADDRESSES)
def test_scenes_of_a_knockout_fit_the_screen(
    arena_site: RunningSite, browser: Browser, knockout: int, kind: str, size: tuple[int, int]
) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    show_only(page, {"kind": kind, "id": knockout, "url": f"/tv/{ADDRESSES[kind]}/{knockout}/", "weight": 1})
    page.goto(f"/tv/?tournament={knockout}")
    boxes = page.locator(SHOWN[kind])
    expect(boxes.first).to_be_visible()
    expect(boxes.last).to_be_in_viewport(ratio=1)
    assert boxes.evaluate_all(_OUTSIDE) == 0
    assert visitor.noise == []
    visitor.close()


def test_standings_of_a_class_are_shown_a_page_at_a_time(
    arena_site: RunningSite, browser: Browser, class_cup: int
) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1366, "height": 768})
    page = visitor.page
    page.goto(f"/tv/?tournament={class_cup}")
    rows, shown = page.locator(SHOWN["standings"]), page.locator("[data-part=rows-shown]")
    seen = 0
    while seen < 30:
        expect(shown).to_have_text(re.compile(rf"^{seen + 1}–\d+ of 30$"))
        count = rows.filter(visible=True).count()
        assert count >= 5
        expect(shown).to_have_text(f"{seen + 1}–{seen + count} of 30")
        expect(rows.nth(seen + count - 1)).to_be_in_viewport(ratio=1)
        seen += count
    assert visitor.noise == []
    visitor.close()


def test_phone_shows_the_name_of_the_tournament(arena_site: RunningSite, browser: Browser, class_cup: int) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 390, "height": 844})
    page = visitor.page
    page.goto(f"/tv/?tournament={class_cup}")
    name = page.locator(".tv__head .brand__name")
    expect(name).to_be_visible()
    expect(name).to_have_text(page.title().split(" · ")[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    visitor.close()
