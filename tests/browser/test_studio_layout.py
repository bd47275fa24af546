"""The results, the board and the standings of studio runs are in view beside the editor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.games.registry import GAMES
from tests.browser.content import STARTER
from tests.browser.editor import replace_source
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

RUN_ENDS = 300_000  # milliseconds; twenty matches of four bots on a busy machine take more than the usual minute
LAPTOP, TABLET, PHONE = (1366, 768), (1024, 768), (390, 844)
DESKTOP, LARGE_LAPTOP = (1920, 1080), (1440, 900)
BELOW_BARS = (1366, 650)  # what the bars of a browser leave of a laptop's screen
MIN_PLOT = 110  # pixels between the axes of a chart
MIN_BOARD = 320  # pixels
MIN_SLIDER = 120  # pixels
# Repeats the ranks of a pile until they take a second line; returns the number of lines.
_FILL_SECOND_LINE = """pile => {
    const lines = () => new Set([...pile.children].map((rank) => rank.offsetTop)).size;
    const ranks = [...pile.children];
    for (let next = 0; lines() < 2 && next < 40; next += 1) pile.append(ranks[next % ranks.length].cloneNode(true));
    return lines();
}"""
CRASHES = """class AIPlayer:
    def __init__(self, *seat):
        pass

    def get_move(self, state):
        return {}["a key that does not exist"]
"""


@pytest.mark.parametrize(("game", "language"), [*((game, "en") for game in GAMES), ("suit_pairs", "zh-hans")])
def test_everything_about_a_run_is_in_view_on_a_laptop(author: Visitor, game: str, language: str) -> None:
    page = author.page
    author.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
    run_matches(page, game, 1)
    expect_whole_run_in_view(page)
    expect_current_move_in_view(page)
    run_matches(page, game, 20)
    expect(page.locator("[data-part=score-text]")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-part=score-interval]")).to_be_in_viewport(ratio=1)
    expect_whole_run_in_view(page)
    resize(page, BELOW_BARS)
    expect_whole_run_in_view(page)
    expect_current_move_in_view(page)


def test_slider_can_be_dragged_during_a_run(author: Visitor) -> None:
    page = author.page
    resize(page, LAPTOP)
    page.goto("/studio/new/suit_pairs/")
    page.locator("[data-run='20']").click()
    expect(page.locator(".studio-run [data-part=live]")).to_be_visible()
    for screen in (LAPTOP, LARGE_LAPTOP):
        resize(page, screen)
        expect_wide_slider(page)
    page.locator("[data-part=stop]").click()
    expect(page.locator(".studio-run [data-go=last]")).to_be_visible(timeout=RUN_ENDS)
    expect_wide_slider(page)


def test_open_report_of_a_check_hides_the_board(author: Visitor) -> None:
    page = author.page
    author.upload_new_bot("Reversi", "Checked", STARTER)
    report = page.locator("[data-part=check]")
    expect(report.locator("[data-check]")).to_have_attribute("data-status", "passed")
    page.locator("[data-run='1']").click()
    expect(page.locator("[data-part=result]")).not_to_be_empty(timeout=RUN_ENDS)
    expect(page.locator("[data-part=stop]")).to_be_hidden(timeout=RUN_ENDS)
    resize(page, LAPTOP)
    expect_board_in_view(page)
    report.locator("summary").click()
    expect(report).to_have_attribute("open", "")
    expect(page.locator(".studio-run")).to_be_hidden()
    report.locator("summary").click()
    expect_board_in_view(page)


@pytest.mark.parametrize("matches", [1, 20])
def test_piles_of_two_lines_leave_the_points_by_deal_in_view(author: Visitor, matches: int) -> None:
    page = author.page
    run_matches(page, "suit_pairs", matches)
    for pile in page.locator(".studio-run .pile").all():
        assert pile.evaluate(_FILL_SECOND_LINE) == 2
    for screen in (LAPTOP, BELOW_BARS):
        resize(page, screen)
        expect_whole_run_in_view(page)


@pytest.mark.parametrize(("game", "language"), [*((game, "en") for game in GAMES), ("suit_pairs", "zh-hans")])
def test_failed_run_is_in_view_with_its_board_and_standings(author: Visitor, game: str, language: str) -> None:
    page = author.page
    author.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
    for matches in (1, 20):
        run_matches(page, game, matches, source=CRASHES)
        for screen in (LAPTOP, BELOW_BARS):
            resize(page, screen)
            expect(page.locator("[data-fault]")).to_be_in_viewport(ratio=1)
            expect_whole_run_in_view(page)
            if matches == 1:
                expect(page.locator(".studio-run [data-part=result]")).to_be_in_viewport(ratio=1)
            else:
                expect(page.locator("[data-part=score-interval]")).to_be_in_viewport(ratio=1)


def test_failures_of_a_check_and_a_run_leave_the_board_its_room(author: Visitor, tmp_path: Path) -> None:
    page = author.page
    resize(page, LARGE_LAPTOP)
    failing = tmp_path / "main.py"
    failing.write_text(CRASHES)
    author.upload_new_bot("Reversi", "Failing", failing)
    expect(page.locator("[data-part=check-faults] [data-fault]")).to_be_visible()
    replace_source(page, CRASHES.replace("{}[", "[]["))
    page.locator("[data-run='1']").click()
    ran = page.locator("[data-part=faults] [data-fault]")
    expect(ran.locator("[data-part=origin]")).to_be_visible(timeout=RUN_ENDS)
    for _ in range(2):
        for screen in (LAPTOP, LARGE_LAPTOP):
            resize(page, screen)
            expect(ran).to_be_in_viewport(ratio=1)  # the newest result
        page.reload()
    for screen, least in ((LARGE_LAPTOP, MIN_BOARD), (DESKTOP, MIN_BOARD), (LAPTOP, 0)):
        resize(page, screen)
        page.locator("[data-part=check-faults] [data-fault]").scroll_into_view_if_needed()
        expect_whole_run_in_view(page)
        ran.scroll_into_view_if_needed()
        expect(ran).to_be_in_viewport()
        expect_board_in_view(page)
        box = page.locator(".studio-run .board").bounding_box()
        assert box is not None
        assert box["height"] >= least


@pytest.mark.parametrize("game", ["reversi", "suit_pairs"])
def test_failure_and_whole_board_are_in_view_on_a_phone(author: Visitor, game: str) -> None:
    page = author.page
    run_matches(page, game, 1, PHONE, source=CRASHES)
    expect(page.locator("[data-fault]")).to_be_in_viewport(ratio=1)
    expect_board_in_view(page)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_run_brings_the_whole_table_into_view_on_a_phone(author: Visitor, language: str) -> None:
    page = author.page
    author.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
    run_matches(page, "suit_pairs", 1, PHONE)
    expect_board_in_view(page)


def test_end_of_a_table_that_is_higher_than_a_phone_can_be_scrolled_above_the_controls(author: Visitor) -> None:
    page = author.page
    run_matches(page, "suit_pairs", 1, PHONE, source=CRASHES)
    expect(page.locator("[data-fault]")).to_be_in_viewport(ratio=1)
    display = page.locator(".studio-run [data-part=display]")
    display.evaluate("display => display.scrollIntoView({ block: 'end', behavior: 'instant' })")
    expect_above_controls(page)


def test_board_stays_in_place_between_the_matches_of_a_run(author: Visitor) -> None:
    page = author.page
    run_matches(page, "reversi", 20)
    place = page.locator(".studio-run .board").bounding_box()
    page.locator("[data-part=result]").evaluate("result => { result.textContent = '' }")  # as during the next match
    assert page.locator(".studio-run .board").bounding_box() == place


def test_board_is_larger_on_a_larger_screen(author: Visitor) -> None:
    page = author.page
    heights = []
    run_matches(page, "reversi", 20, DESKTOP)
    for screen in (DESKTOP, LARGE_LAPTOP):
        resize(page, screen)
        expect_whole_run_in_view(page)
        box = page.locator(".studio-run .board").bounding_box()
        assert box is not None
        heights.append(box["height"])
    assert heights[0] > heights[1]
    expect(page.locator(".studio__lines [data-opponent]").first).to_be_attached()


def test_moves_of_a_run_do_not_lengthen_the_page_on_a_tablet(author: Visitor) -> None:
    page = author.page
    run_matches(page, "suit_pairs", 1, TABLET)
    output = page.locator(".studio__output").bounding_box()
    assert output is not None
    assert output["height"] < TABLET[1]


def resize(page: Page, screen: tuple[int, int]) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})


def run_matches(
    page: Page, game: str, matches: int, screen: tuple[int, int] = LAPTOP, *, source: str | None = None
) -> None:
    resize(page, screen)
    page.goto(f"/studio/new/{game}/")
    expect(page.locator(".cm-content")).to_be_visible()
    if source is not None:
        replace_source(page, source)
    page.locator(f"[data-run='{matches}']").click()
    if matches > 1 and source is None:  # until a run begins, the page shows the results of the last one
        all_played = re.compile(rf"\b{matches}\D+{matches}\b")
        expect(page.locator("[data-part=score-text]")).to_have_text(all_played, timeout=RUN_ENDS)
    elif matches > 1:
        expect(page.locator("[data-part=score-text]")).to_contain_text(f"{matches}")
    expect(page.locator("[data-part=result]")).not_to_be_empty(timeout=RUN_ENDS)
    expect(page.locator("[data-part=stop]")).to_be_hidden(timeout=RUN_ENDS)


def expect_whole_run_in_view(page: Page) -> None:
    for part in page.locator(".studio-run :is([data-part=result], .replay-controls, .player, tr):visible").all():
        expect(part).to_be_in_viewport(ratio=1)
    expect_board_in_view(page)
    expect_readable_chart(page)
    expect_wide_slider(page)


def expect_current_move_in_view(page: Page) -> None:
    expect(page.locator(".studio__lines [aria-current=true]")).to_be_in_viewport(ratio=0.98)


def expect_wide_slider(page: Page) -> None:
    box = page.locator(".studio-run [data-part=range]").bounding_box()
    assert box is not None
    assert box["width"] >= MIN_SLIDER


def expect_readable_chart(page: Page) -> None:
    for plot in page.locator(".studio-run .u-over").all():
        box = plot.bounding_box()
        assert box is not None
        assert box["height"] >= MIN_PLOT


def expect_board_in_view(page: Page) -> None:
    expect(page.locator(".studio-run [data-part=display]")).to_be_in_viewport(ratio=1)
    expect_above_controls(page)


def expect_above_controls(page: Page) -> None:
    display = page.locator(".studio-run [data-part=display]")
    box, controls = display.bounding_box(), page.locator(".studio-run .replay-controls").bounding_box()
    assert box is not None
    assert controls is not None
    assert box["y"] + box["height"] <= controls["y"]
