"""A single-player game of 2584: arrow keys, swipes and buttons, hints, a reload, and the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from arena.games.sites import SITES
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

VERDICT = "section.verdict"
SCORE_NAME = str(SITES["fib2584"].score_name)
KEYS = {"↑ up": "ArrowUp", "→ right": "ArrowRight", "↓ down": "ArrowDown", "← left": "ArrowLeft"}
SWIPES = {"↑ up": (0, -90), "→ right": (90, 0), "↓ down": (0, 90), "← left": (-90, 0)}


@pytest.fixture
def visitor(arena_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, arena_site.address)
    visitor.page.goto("/play/?game=fib2584")
    visitor.page.get_by_label("You alone").check()
    visitor.page.get_by_role("button", name="Start").click()
    visitor.page.wait_for_url(re.compile(r"/play/\d+/$"))
    yield visitor
    assert visitor.noise == []
    visitor.close()


def enabled_move_buttons(page: Page) -> Locator:
    """Return the buttons of the moves that are currently possible."""
    return page.locator("form.duel__moves:not(.is-idle) [data-part=legal] button")


def await_turn(page: Page, turns: int) -> str:
    """Wait until this many turns have been played and the person is to move; return the first legal move."""
    expect(page.locator(".replay-controls__position")).to_contain_text(f"Turn {turns} of {turns}")
    expect(enabled_move_buttons(page).first).to_be_visible()
    return enabled_move_buttons(page).first.inner_text()


def swipe(page: Page, dx: int, dy: int) -> None:
    box = page.locator("[data-part=display] .tiles").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def test_keys_swipes_and_buttons_move_and_reload_keeps_the_match(visitor: Visitor) -> None:
    page = visitor.page
    page.keyboard.press(KEYS[await_turn(page, 0)])
    swipe(page, *SWIPES[await_turn(page, 1)])
    page.get_by_role("button", name=await_turn(page, 2), exact=True).press("Enter")
    await_turn(page, 3)
    board = page.locator("[data-part=display] [data-tiles]")
    tiles = board.get_attribute("data-tiles")
    page.reload()
    await_turn(page, 3)
    expect(board).to_have_attribute("data-tiles", str(tiles))
    expect(page.locator("[data-part=moves-body] tr").first.locator("td").nth(1)).to_have_text(re.compile("[↑→↓←] "))

    page.get_by_role("button", name="Hint").click()
    advice = page.get_by_role("table").filter(has=page.locator("#advice-caption"))
    expect(advice.locator("tr.strong td").last).to_have_text("0.00")
    expect(board).to_have_attribute("data-hint", re.compile("[↑→↓←]"))
    shows = page.locator("[data-part=show-regret]")
    shown = page.locator("[data-part=display] .boards__regret")
    expect(shown).to_be_visible()
    shows.uncheck()
    expect(shown).to_be_hidden()


def test_moves_remain_after_a_refresh_with_an_answer_from_before_the_turn(visitor: Visitor) -> None:
    page = visitor.page
    await_turn(page, 0)
    moves = enabled_move_buttons(page).all_inner_texts()

    def remove_moves(route: Route) -> None:
        answer = route.fetch()
        body, found = re.subn(
            r'(?s)(data-part="legal"[^>]*>).*?</span>', r'\1<input name="move"></span>', answer.text()
        )
        assert found == 1
        route.fulfill(response=answer, body=body)

    page.route(f"**{visitor.path}", remove_moves)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice-caption")).to_be_visible()  # a refresh shows it
    assert enabled_move_buttons(page).all_inner_texts() == moves


def test_verdict_is_shown_at_the_end_without_javascript(visitor: Visitor, browser: Browser) -> None:
    page = visitor.page
    over = page.locator("[data-part=banner]:not([hidden])")
    turns = 0
    while not over.count():
        await_turn(page, turns)
        # The rules allow up to 375 moves; choosing the last button usually leads to a shorter game.
        enabled_move_buttons(page).last.press("Enter")
        turns += 1
        page.wait_for_function(
            # The last turn arrives before the result; enabled moves show that the game continues.
            "turns => document.querySelector('[data-part=banner]:not([hidden])')"
            " || (document.querySelector('.replay-controls__position')?.textContent.includes(`Turn ${turns} of`)"
            " && document.querySelector('form.duel__moves:not(.is-idle) [data-part=legal] button'))",
            arg=turns,
        )
    verdict = page.locator(VERDICT)
    expect(verdict).to_contain_text(SCORE_NAME)
    expect(page.locator("[data-part=result]")).to_have_text(re.compile(rf"^{SCORE_NAME}: −?\d+\.\d$"))
    shown = verdict.inner_text()
    verdict.locator("a[data-at]").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+$"))
    worst = verdict.locator("[data-tiles]").get_attribute("data-tiles")
    expect(page.locator("[data-part=display] [data-tiles]")).to_have_attribute("data-tiles", str(worst))

    plain = browser.new_context(
        base_url=page.url, java_script_enabled=False, storage_state=visitor.context.storage_state()
    )
    reader = plain.new_page()
    reader.goto(page.url)
    assert reader.locator(VERDICT).inner_text() == shown
    reader.locator(VERDICT).locator("a[href*='/solver/']").click()
    expect(reader).to_have_url(re.compile(r"/2584/solver/\?before="))
    plain.close()
