"""A duel against a house bot works on the board and with the keyboard, and survives a reload and a network failure."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.audit import PHONE
from tests.running_site import RunningSite
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def start_duel(page: Page, address: str) -> None:
    page.goto(f"{address}/play/")
    page.get_by_label("Another bot", exact=False).first.check()
    page.locator("select[name=bot]").select_option(label="Random move")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/play/\d+/$"))


def move_count(page: Page) -> int:
    return page.locator("[data-part=moves] li").count()


def await_my_turn(page: Page, played: int) -> None:
    """Wait until it is the person's turn and at least ``played`` moves have been made; a pass may add a turn."""
    page.wait_for_function(
        "n => document.querySelectorAll('[data-part=moves] li').length >= n"
        " && document.querySelector('.board.is-playable')",
        arg=played,
    )


def test_guest_plays_reloads_loses_the_network_and_resigns(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, **WITH_MOTION)
    page = visitor.page
    start_duel(page, arena_site.address)
    await_my_turn(page, 0)
    with page.expect_response("**/move/"):  # a reload may cancel a request that the site has not read yet
        page.locator(".square.is-legal").first.click()
    page.reload()  # while the bot's move is pending
    await_my_turn(page, 2)

    visitor.context.set_offline(True)
    page.get_by_role("group", name="Your moves:").get_by_role("button").first.press("Enter")
    page.get_by_role("alert").wait_for()
    visitor.context.set_offline(False)
    await_my_turn(page, 4)
    visitor.noise.clear()  # discard the browser's messages about the missing network

    page.get_by_role("button", name="Resign").click()
    page.locator("[data-next-seat='1']").wait_for()
    expect(page.locator("[data-part=result]")).not_to_be_empty()
    assert visitor.noise == []
    visitor.close()


def legal_moves(page: Page) -> list[str]:
    buttons = page.get_by_role("group", name="Your moves:").get_by_role("button")
    expect(buttons.first).to_be_visible()
    return buttons.all_inner_texts()


def press_move(page: Page, move: str) -> None:
    page.get_by_role("button", name=move, exact=True).press("Enter")


def refuse_moves(page: Page, status: int, error: str, *, times: int, **headers: str) -> list[str]:
    """Answer the page's next ``times`` moves with an error; return a list that collects the bodies of all its moves."""
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > times:
            route.continue_()
        else:
            route.fulfill(
                status=status,
                headers={"Content-Type": "application/json", **headers},
                body=json.dumps({"error": error}),
            )

    page.unroute("**/move/")
    page.route("**/move/", answer)
    return sent


def posted_move(body: str) -> dict[str, str]:
    return dict(re.findall(r'name="(turn|move)"\r\n\r\n"?(\w+)', body))


def test_refused_move_is_retried_or_reported_and_keeps_the_focus(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    alert = page.get_by_role("alert")
    start_duel(page, arena_site.address)
    await_my_turn(page, 0)

    sent = refuse_moves(page, 409, "Not yet.", times=2, **{"Retry-After": "1"})
    first = legal_moves(page)[0]
    press_move(page, first)
    expect(alert).to_be_visible()
    await_my_turn(page, 2)
    expect(alert).to_be_hidden()
    assert [posted_move(body) for body in sent] == [{"turn": "1", "move": first}] * 3

    refuse_moves(page, 409, "This cannot be played any more.", times=1)
    second = legal_moves(page)[-1]
    press_move(page, second)
    expect(alert).to_have_text("This cannot be played any more.")
    expect(page.get_by_role("button", name=second, exact=True)).to_be_focused()

    refuse_moves(page, 503, "", times=1000)  # until another window has played in the same match
    press_move(page, second)
    expect(alert).not_to_have_text("This cannot be played any more.")
    expect(alert).to_be_visible()
    other = visitor.context.new_page()
    other.goto(page.url)
    press_move(other, next(move for move in legal_moves(other) if move != second))
    expect(alert).to_contain_text(second)
    page.unroute("**/move/")
    visitor.close()


def test_guest_undoes_a_move_on_a_phone_and_resigns(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": PHONE[0], "height": PHONE[1]})
    page = visitor.page
    start_duel(page, arena_site.address)
    await_my_turn(page, 0)
    expect(page.locator("#duel-notice [data-ahead]")).to_have_count(0)
    board, panel = (page.locator(part).bounding_box() for part in (".match__board", ".duel"))
    assert board
    assert panel
    assert board["y"] + board["height"] <= panel["y"], "the board is above what else one can do"
    page.locator(".square.is-legal").first.click()
    await_my_turn(page, 2)
    first = page.url
    page.get_by_role("button", name="Take back").click()
    page.wait_for_url(lambda url: url != first)
    await_my_turn(page, 0)
    assert move_count(page) == 0
    expect(page.locator("[data-take-backs='1']")).to_be_visible()
    expect(page.locator("[data-ahead]")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    result = page.locator("[data-part=result]")
    expect(result).not_to_be_empty()
    expect(page).to_have_title(re.compile(f"^{re.escape(result.inner_text())} · "))
    stranger = Visitor(browser, arena_site.address)
    stranger.page.goto(page.url)
    expect(stranger.page.locator("[data-part=result]")).to_have_text(re.compile("^Random move .* Guest "))
    stranger.close()
    visitor.close()
