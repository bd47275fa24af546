"""A duel at the card table works with mouse and keyboard, and continues after a reload or the loss of its worker."""

from __future__ import annotations

import os
import re
import signal

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.matches.templatetags.results import RESULT_TEXTS
from tests.browser.audit import small_targets
from tests.browser.content import Content
from tests.running_site import RunningSite, eventually
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

RESIGNED = str(RESULT_TEXTS["you.lost_by_resignation"])


def start_card_game(page: Page) -> None:
    page.goto("/play/?game=suit_pairs")
    page.get_by_label("Another bot", exact=False).first.check()
    page.locator("select[name=bot]").select_option(label="Random action")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))


def test_selection_is_undone_and_pair_moves_to_the_pile(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, **WITH_MOTION)
    page = visitor.page
    start_card_game(page)
    own = page.locator(".card-table__player.is-own")
    first = own.locator("button.playing-card").first
    first.press("Enter")
    expect(own.locator(".is-chosen")).to_have_count(1)
    expect(page.locator("[data-part=table] button.playing-card")).not_to_have_count(0)  # cards of the same suit
    expect(page.locator(".card-table__advice")).to_have_text(re.compile(r"\w"))
    page.locator("[data-match]").dispatch_event("match-show-again")  # as after each refresh of the page's other parts
    expect(own.locator(".is-chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(own.locator(".is-chosen")).to_have_count(0)
    expect(page.locator("[data-part=table] button.playing-card")).to_have_count(0)
    page.locator("[data-kind=capture]").click()
    expect(page.locator("[data-kind=capture]")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Clear selection").click()
    own.locator("button.playing-card").first.click()
    page.locator("[data-part=table] button.playing-card").first.click()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(own.locator("button.playing-card").first).to_be_visible()  # the animation of the opponent's turn has ended
    page.reload()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(page.locator(".card-table__player:not(.is-own) [data-part=hand] [data-card]")).to_have_count(0)
    assert visitor.noise == []
    visitor.close()


def test_card_game_is_played_by_keyboard_and_reviewed_at_the_end(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    start_card_game(page)
    own = page.locator(".card-table__player.is-own")
    own.locator("button.playing-card").first.click()
    page.locator("[data-part=table] button.playing-card").first.click()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(own.locator("button.playing-card").first).to_be_visible()
    cards = own.locator("button.playing-card")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(cards.last).to_be_focused()  # the focus wraps around the hand
    page.keyboard.press("Enter")
    expect(own.locator(".is-chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    again = page.locator("[data-part=replay-last]")
    theirs = page.locator(".card-table__player:not(.is-own) [data-part=pile] .pile__suit")
    before = theirs.count()
    again.click()
    expect(cards).to_have_count(0)  # no card is playable during the replay
    expect(theirs).not_to_have_count(before)  # the table shows the position before the turn
    expect(again).to_be_visible()
    expect(theirs).to_have_count(before)
    cards.first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-part=table] button.playing-card").first).to_be_focused()
    page.keyboard.press("Escape")  # cards on the table are no longer selectable
    expect(cards.first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(4)
    expect(cards.first).to_be_focused()  # the focus stays in the hand for the next turn
    expect(page.locator("#policy")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.locator("[data-part=result]").filter(has_text=RESIGNED).wait_for()
    expect(page.locator("#policy svg")).to_be_visible()
    start, played = page.locator("[data-go=first]"), page.locator(".policy__bar.is-played")

    def at_the_start() -> bool:
        start.click()
        return played.count() == 1

    # On a busy machine, the page may still be processing the end of the match and show it again.
    eventually(at_the_start, "the policy does not show the first decision")
    expect(page.locator("[data-part=policy-line]")).not_to_be_empty()
    assert visitor.noise == []
    visitor.close()


def test_card_game_continues_after_its_worker_is_killed(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    start_card_game(page)
    own = page.locator(".card-table__player.is-own")
    own.locator("button.playing-card").first.click()
    page.locator("[data-part=table] button.playing-card").first.click()
    expect(own.locator("[data-part=pile] .pile__suit")).to_have_count(2)
    expect(own.locator("button.playing-card").first).to_be_visible()
    hand = own.locator("[data-part=hand] [data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    kill_worker_of(arena_site, int(re.findall(r"\d+", visitor.path)[0]))
    own.locator("button.playing-card").first.click()
    page.locator("[data-part=table] button.playing-card").first.click()
    # Another worker claims the match when the dead worker's lease has expired.
    page.wait_for_function(
        "() => document.querySelectorAll('.is-own [data-part=pile] .pile__suit').length === 4", timeout=180_000
    )
    left = own.locator("[data-part=hand] [data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert set(left) < set(hand), "the same hand, without the card that was played"
    page.get_by_role("button", name="Resign").click()
    page.locator("[data-part=result]").filter(has_text=RESIGNED).wait_for()
    visitor.close()


def kill_worker_of(site: RunningSite, match: int) -> None:
    """Kill the pool process that plays this match, as the kernel does when memory runs out."""
    row = site.manage(
        "shell", "-c", f"from arena.matches.models import Match; print(Match.objects.get(pk={match}).worker)"
    )
    pid = int(row.strip().splitlines()[-1].split(":")[2])
    os.kill(pid, signal.SIGKILL)


def test_replay_explains_cards_by_pointer_and_keyboard(
    arena_site: RunningSite, browser: Browser, content: Content
) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{content.over_match['suit_pairs']}?at=4")
    table = page.locator("[data-part=card-table]")
    note = table.locator(".card-note")
    card = table.locator("[data-part=table] [data-card]").nth(1)
    card.hover()
    expect(note).to_have_text(re.compile(r"point"))
    note_box, card_box = note.bounding_box() or {}, card.bounding_box() or {}
    assert note_box["x"] < card_box["x"] + card_box["width"], "the note is beside the card, whatever the table's size"
    gaps = (note_box["y"] - card_box["y"] - card_box["height"], card_box["y"] - note_box["y"] - note_box["height"])
    assert 0 <= max(gaps) < 20
    page.locator("h1").hover()
    expect(note).to_be_hidden()

    cards = table.locator("[data-card]")
    page.locator(".match-page__head a").last.focus()
    while not table.evaluate("table => table.contains(document.activeElement)"):
        page.keyboard.press("Tab")
    expect(cards.nth(0)).to_be_focused()
    first = note.text_content() or ""
    expect(note).to_be_visible()
    expect(cards.nth(0)).to_have_accessible_name(first)
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    expect(note).not_to_have_text(first)
    expect(page).to_have_url(re.compile(r"at=4$"))  # the arrow keys do not step
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    assert visitor.noise == []
    visitor.close()


def test_rank_of_a_pile_is_one_target_with_a_line_per_card(
    arena_site: RunningSite, browser: Browser, content: Content
) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(content.over_match["suit_pairs"])
    ranks = page.locator(".pile__rank[data-cards]")
    expect(ranks).not_to_have_count(0)
    several = page.locator(".pile__rank:has(.pile__suit ~ .pile__suit)").first
    several.click()
    note = page.locator(".card-note")
    suits = several.locator(".pile__suit").all_text_contents()
    assert [line[-1] for line in re.findall(r"^\w+.(?=:)", note.inner_text(), re.MULTILINE)] == suits
    assert small_targets(page) == []
    assert visitor.noise == []
    visitor.close()
