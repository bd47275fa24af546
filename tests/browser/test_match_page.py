"""The match page shows the author of a failing bot the time of every move and the causes of faults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from arena.core.referee.position import Position
from arena.games.registry import GAMES
from tests.browser.content import Content
from tests.running_site import RunningSite, eventually
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

# Where the board of each game ends.
LOWEST_PARTS = {
    "reversi": ".board",
    "suit_pairs": ".card-table__rules",
    "fib2584": ".boards__list",
    "golden_point": ".match__display canvas",
}


@pytest.fixture
def author(arena_site: RunningSite, browser: Browser, content: Content) -> Iterator[Visitor]:
    visitor = Visitor(browser, arena_site.address, storage_state=content.owner, **WITH_MOTION)
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=arena_site.address)
    yield visitor
    assert visitor.noise == []
    visitor.close()


def listed_moves(visitor: Visitor) -> list[str]:
    return visitor.texts("[data-part=moves-body] th")


def test_moves_of_one_seat_are_selected_and_kept_in_the_url(author: Visitor, content: Content) -> None:
    page = author.page
    page.goto(content.over_match["golden_point"])
    expect(page.locator("[data-part=moves-body] tr")).to_have_count(3)
    page.get_by_label("Seat", exact=True).first.select_option("1")
    expect(page.locator("[data-part=moves-body] tr")).to_have_count(30)
    assert listed_moves(author)[:2] == ["30", "29"]
    expect(page).to_have_url(re.compile("seat=1"))
    page.locator("[data-part=moves-body] a").nth(4).click()
    expect(page.locator("[data-part=position]")).to_contain_text("26")
    page.reload()
    expect(page.locator("[data-part=moves-body] tr")).to_have_count(30)


@pytest.mark.parametrize("game", ["reversi", "suit_pairs"])
def test_current_move_is_scrolled_into_view(game: str, author: Visitor, content: Content) -> None:
    author.page.set_viewport_size({"width": 1440, "height": 900})
    author.page.goto(content.over_match[game])
    shown = author.page.locator("[data-part=moves] [aria-current=step]")
    expect(shown).to_be_in_viewport()
    author.page.locator("[data-go=back]").click()
    expect(shown).to_be_in_viewport()


@pytest.mark.parametrize("game", ["reversi", "fib2584"])
def test_both_players_are_in_view_on_a_low_screen(game: str, author: Visitor, content: Content) -> None:
    author.page.set_viewport_size({"width": 1366, "height": 768})
    author.page.goto(content.over_match[game])
    expect(author.page.locator("[data-part=position]")).not_to_be_empty()
    seats = author.page.locator(".match__seats")
    for player in seats.locator("tbody tr, .player").all():
        expect(player).to_be_in_viewport(ratio=1)
    assert author.page.locator(".tabs__panel:not([hidden])").evaluate("panel => panel.clientHeight") > 80


@pytest.mark.parametrize("game", ["reversi", "suit_pairs"])
def test_board_and_evaluation_bar_share_the_width(game: str, author: Visitor, content: Content) -> None:
    author.page.set_viewport_size({"width": 1366, "height": 650})
    author.page.goto(content.over_match[game])
    expect(author.page.locator("[data-part=evaluation-bar]")).to_be_visible()
    board = author.page.locator(".match__board")
    eventually(lambda: board.evaluate("board => board.scrollWidth <= board.clientWidth"), "the board to make way")
    column, bar = board.bounding_box(), author.page.locator("[data-part=evaluation-bar]").bounding_box()
    assert column is not None
    assert bar is not None
    assert bar["x"] >= column["x"]


@pytest.mark.parametrize("game", GAMES)
def test_buttons_take_one_row_of_a_phone(game: str, author: Visitor, content: Content) -> None:
    author.page.set_viewport_size({"width": 390, "height": 844})
    author.page.goto(content.over_match[game])
    buttons = [button.bounding_box() for button in author.page.locator("#match-actions .button:visible").all()]
    assert len({box["y"] + box["height"] / 2 for box in buttons if box}) == 1
    assert author.page.evaluate("document.documentElement.scrollWidth") == 390


def test_phone_shows_the_score_of_the_shown_turn_in_the_title_only(author: Visitor, content: Content) -> None:
    page = author.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{content.over_match['reversi']}?at=1")
    expect(page.locator("[data-part=position]")).not_to_be_empty()
    expect(page.locator(".scoreline")).to_be_hidden()
    in_title, of_turn = (f"[data-part^={name}-score]" for name in ("title", "shown"))
    assert author.texts(in_title) == author.texts(of_turn)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator(in_title)).not_to_have_text(author.texts(of_turn))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("view", ["", "?view=projector"])
def test_board_is_above_the_controls_on_a_low_screen(game: str, view: str, author: Visitor, content: Content) -> None:
    page = author.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(content.over_match[game] + view)
    expect(page.locator("[data-part=position]")).not_to_be_empty()
    controls = page.locator(".replay-controls")
    for turn in ("last", "first", "forward"):
        if turn != "last":
            page.locator(f"[data-go={turn}]").click()
        board = page.locator(".match__display").bounding_box() or {}
        assert board["y"] + board["height"] <= (controls.bounding_box() or {})["y"]
        expect(controls).to_be_in_viewport(ratio=1)
    if view:
        assert page.evaluate("document.documentElement.scrollHeight") <= 768


@pytest.mark.parametrize("game", GAMES)
def test_board_fills_the_height_above_the_controls(game: str, author: Visitor, content: Content) -> None:
    page = author.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(content.over_match[game])
    expect(page.locator("[data-part=position]")).not_to_be_empty()
    lowest = page.locator(LOWEST_PARTS[game]).last
    expect(lowest).to_be_visible()
    controls = page.locator(".replay-controls")

    def fills() -> bool:
        """Return whether the board fills the height; it may do so only after the chart has been redrawn."""
        display = page.locator(".match__display").bounding_box() or {}
        part = lowest.bounding_box() or {}
        available = 1080 - display["y"] - (controls.bounding_box() or {})["height"]
        is_as_wide = game == "fib2584" and part["width"] > 0.95 * display["width"]
        return is_as_wide or part["y"] + part["height"] - display["y"] > 0.85 * available

    eventually(fills, "the board leaves more than a seventh of the height empty")
    expect(controls).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920


def test_cards_grow_with_the_window(author: Visitor, content: Content) -> None:
    page = author.page
    page.goto(f"{content.over_match['suit_pairs']}?at=0")
    card = page.locator("[data-part=table] .playing-card").first
    heights = []
    for width, height in ((1366, 768), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        heights.append((card.bounding_box() or {})["height"])
    assert heights[0] * 1.6 < heights[1] * 1.3 < heights[2]


def test_links_below_a_tab_are_not_styled_as_tabs(author: Visitor, content: Content) -> None:
    page = author.page
    page.goto(content.over_match["reversi"])
    page.get_by_role("tab", name="Details").click()
    expect(page.locator("dd a[href$='/record.json']")).to_have_css("display", "inline")
    page.get_by_role("tab", name="Analysis").click()
    panel = page.get_by_role("tabpanel", name="Analysis")
    expect(panel.locator("a.button")).to_have_css("border-bottom-width", "1px")


def test_table_of_a_live_match_grows(author: Visitor, content: Content) -> None:
    page = author.page
    newest = page.locator("[data-part=moves-body] th").first

    def has_turns_to_come() -> bool:
        page.goto(content.live_match("reversi"))
        running = page.locator("[data-match-status] [data-status=running]").count() == 1
        return running and (int(newest.inner_text()) if listed_moves(author) else 0) < 55

    # The home page shows a finished match until the next one starts. One more turn is enough.
    eventually(has_turns_to_come, "no match that continues")
    before = int(newest.inner_text()) if listed_moves(author) else 0
    expect(newest).to_have_text(re.compile(rf"^(?!{before}$)\d+$"))


def test_moves_are_listed_by_turn_and_seat_without_javascript(
    arena_site: RunningSite, browser: Browser, content: Content
) -> None:
    plain = Visitor(browser, arena_site.address, java_script_enabled=False)
    page = plain.page
    page.goto(f"{content.over_match['golden_point']}?at=7")
    assert listed_moves(plain) == ["7", "7", "7"]
    page.get_by_label("Seat", exact=True).select_option("2")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[data-part=moves-body] tr")).to_have_count(30)
    page.locator("[data-part=moves-body] a").first.click()
    page.wait_for_url(re.compile("at=30"))
    assert "seat=2" in page.url
    plain.close()


def test_state_of_a_fault_can_be_copied_and_downloaded(author: Visitor, content: Content) -> None:
    page = author.page
    page.goto(content.erring_match)
    # because the reader's own bot failed
    expect(page.get_by_role("tab", name="Output")).to_have_attribute("aria-selected", "true")
    crash, refused = (page.locator("article.diagnosis").nth(number) for number in (0, 1))
    expect(crash).to_have_attribute("data-kind", "crash")
    expect(crash).to_contain_text("about to open the book")
    expect(refused).to_have_attribute("data-lost", "false")
    crash.locator("[data-copy-url]").click()
    expect(crash.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as started:
        crash.get_by_role("link", name="Download").click()
    assert started.value.path().read_text(encoding="utf-8") == copied
    assert Position.from_json(json.loads(copied), GAMES).turn > 8
    crash.locator("[data-copy]").click()
    page.wait_for_function("state => navigator.clipboard.readText().then(text => text !== state)", arg=copied)
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == f"python -m bots replay {started.value.suggested_filename} mine.py"
