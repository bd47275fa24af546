"""Every feature works with the keyboard, and the focus is visible and where users expect it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.content import Content
from tests.running_site import RunningSite, eventually
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


@pytest.fixture
def visitor(arena_site: RunningSite, browser: Browser, content: Content) -> Iterator[Visitor]:
    visitor = Visitor(browser, arena_site.address, storage_state=content.owner)
    yield visitor
    assert visitor.noise == []
    visitor.close()


def expect_visible_focus(target: Locator) -> None:
    expect(target).to_be_focused()
    assert target.evaluate("target => getComputedStyle(target).outlineStyle") != "none"


def test_first_tab_focuses_the_skip_link(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/matches/")
    page.keyboard.press("Tab")
    link = page.locator("a[href='#content']")
    expect_visible_focus(link)
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


_FADES = (
    """box => ["--fade-start", "--fade-end"].map(side => parseFloat(getComputedStyle(box).getPropertyValue(side)))"""
)


@pytest.mark.parametrize(
    ("path", "kind", "width"),
    [
        ("/analysis/golden-point/recordings/example/", ".table-wrap", 390),
        ("/guide/train/", ".code", 660),
    ],  # on phones, guides wrap code
)
def test_box_wider_than_the_page_fades_at_its_edges_and_scrolls_by_key(
    visitor: Visitor, path: str, kind: str, width: int
) -> None:
    page = visitor.page
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(path)
    box = page.locator(kind).first
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    assert box.evaluate("box => getComputedStyle(box).maskImage") != "none"
    assert box.evaluate(_FADES) == [0, 48], "only the edge that hides something fades"
    page.keyboard.press("Tab")  # from here on, focus is visible
    box.focus()
    expect_visible_focus(box)
    assert parse_length(box.evaluate("box => getComputedStyle(box).outlineOffset")) < 0, (
        "the mask would hide a ring outside"
    )
    page.keyboard.press("ArrowRight")
    eventually(lambda: box.evaluate(_FADES)[0] > 0, "the box has scrolled")
    expect(box).to_be_focused()


def parse_length(value: str) -> float:
    return float(value.removesuffix("px"))


def test_replay_is_controlled_by_keys(visitor: Visitor, content: Content) -> None:
    page = visitor.page
    page.goto(content.over_match["reversi"])
    position = page.locator("[data-part=position]")
    last = page.locator("[data-part=range]").get_attribute("max")
    expect(position).to_have_text(f"Move {last} of {last}")
    page.keyboard.press("Home")
    expect(position).to_have_text(f"Move 0 of {last}")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text(f"Move 4 of {last}")
    assert page.url.endswith("?at=4")
    page.keyboard.press("Space")  # starts playback
    expect(position).to_have_text(f"Move 6 of {last}")
    page.keyboard.press("Space")
    expect(page.locator("[data-go=play]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("End")
    expect(position).to_have_text(f"Move {last} of {last}")
    assert "?at" not in page.url


@pytest.mark.parametrize("game", ["reversi", "golden_point"])
def test_tab_moves_through_the_controls_of_a_replay(visitor: Visitor, content: Content, game: str) -> None:
    page = visitor.page
    page.goto(f"{content.over_match[game]}?at=5")
    controls = page.get_by_role("group", name="Replay")
    expect(page.locator("[data-part=position]")).to_contain_text(" 5 of")
    controls.locator("[data-go=first]").focus()
    page.keyboard.press("Shift")  # the focus ring appears after a key press, not after focus() in a script
    for part in ("first", "back", "play", "forward", "last"):
        expect_visible_focus(controls.locator(f"[data-go={part}]"))
        page.keyboard.press("Tab")
    expect_visible_focus(controls.get_by_role("slider"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-part=position]")).to_contain_text(" 6 of")
    page.keyboard.press("Tab")
    expect_visible_focus(controls.get_by_role("combobox", name="Replay speed"))


def test_account_menu_opens_and_closes_by_keyboard(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    menu = page.locator("details[data-menu]")
    opener = menu.locator("summary")
    opener.focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    expect_visible_focus(menu.locator("a[href^='/people/']").first)
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect_visible_focus(opener)


def test_language_and_theme_are_switched_by_keyboard(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/guide/?from=here")
    page.get_by_role("button", name="中文").focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    assert page.url.endswith("/guide/?from=here")
    page.get_by_role("button", name="EN, English").focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "en")

    page.locator("[data-theme-toggle]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-shown-theme", "dark")
    page.goto("/bots/")
    expect(page.locator("html")).to_have_attribute("data-shown-theme", "dark")


def test_lesson_is_controlled_by_keys(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/learn/")
    first = page.get_by_role("button", name="Action 1")
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#learn-status")).to_contain_text("+10")
    expect_visible_focus(first)
    following = page.get_by_role("link", name="Next step")
    following.focus()
    for figures in ("= 1.0", "= −1.0", "= 4.09"):
        page.keyboard.press("Enter")
        expect(page.locator("#learn-status")).to_contain_text(figures)
    expect_visible_focus(following)
    assert "played=1&" in page.url
    assert "step=3" in page.url
    first.focus()
    for _ in range(3):  # faster than the responses; no key press is lost
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"played=111&.*step=3&action=1"))
