"""A person in a room enters a nickname, submits a number before the countdown ends, and sees the round's result."""

from __future__ import annotations

import re
import struct

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.running_site import RunningSite
from tests.visitor import WITH_MOTION, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]


def submit(page: Page) -> Locator:
    """Submit the numbers in the form until the arena accepts them; return the message, which then shows the result.

    On a busy machine, a short round may close before the submission arrives.
    """
    accepted = False
    while not accepted:
        with page.expect_response(re.compile("/api/Submit")) as answer:
            page.get_by_role("button", name="Submit").click()
        accepted = answer.value.ok
    return page.get_by_role("status").and_(page.locator("[data-part=message]"))


def test_pick_is_scored_when_the_round_closes(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?duration=5")["roomId"]
    visitor = Visitor(browser, arena_site.address, **WITH_MOTION)
    page = visitor.page
    page.goto(f"/rooms/{room}/")
    visitor.mark_page()
    page.get_by_label("Nickname").fill("Ada")
    page.get_by_label("Your number").fill("12,5")
    message = submit(page)
    expect(message).to_contain_text("7.7250")
    expect(page.locator("[data-part=standings] tr.is-mine")).to_contain_text("Ada")
    expect(page.locator("[data-part=last-nearest]")).to_contain_text("Ada")
    secret = page.evaluate("localStorage.getItem('arena-room-user')")
    history = arena_site.json(f"/api/History?roomid={room}")
    assert list(history["nickNames"].values()) == ["Ada"]
    assert secret not in str(history)
    assert secret not in str(arena_site.json(f"/api/TodayScore?roomid={room}"))
    expect(page.locator("[data-part=round]")).to_have_text("Round 2")
    page.get_by_role("button", name="Table").click()
    with page.expect_download() as started:  # the export keeps the chart's width although the chart is hidden
        page.locator("[data-export-chart]").click()
    assert struct.unpack(">I", started.value.path().read_bytes()[16:20])[0] > 500
    assert visitor.never_left()
    for _ in range(5):  # simulates another tab; the round may close between the two requests
        state = arena_site.json(f"/api/State?roomid={room}&uid={secret}")
        if page.request.post(f"/api/Submit?uid={secret}&rid={state['roundId']}&n1=20").ok:
            break
    expect(message).to_have_text(re.compile(r"\b[2-9]:"))
    assert visitor.noise == []
    visitor.close()


def test_phone_shows_the_result_above_the_bottom_bar(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?duration=3")["roomId"]
    visitor = Visitor(browser, arena_site.address, viewport={"width": 390, "height": 844})
    page = visitor.page
    page.goto(f"/rooms/{room}/")
    page.get_by_label("Nickname").fill("Ada")
    page.get_by_label("Your number").fill("12.5")
    message = submit(page)
    expect(message).to_contain_text("7.7250")
    expect(page.locator(".room__play [data-own-rank]")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    result, bar = message.bounding_box(), page.locator(".bottom-nav").bounding_box()
    assert result
    assert bar
    assert result["y"] + result["height"] <= bar["y"]
    visitor.close()


def test_phone_shows_guests_their_seat_before_any_links(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?duration=120")["roomId"]
    visitor = Visitor(browser, arena_site.address, viewport={"width": 390, "height": 844})
    page = visitor.page
    page.goto(f"/rooms/{room}/")
    links = page.locator(f"main a[href='/rooms/{room}/setup/']:visible")
    expect(links).to_have_count(1)
    seat, link = page.locator("[data-part=play]").bounding_box(), links.bounding_box()
    assert seat
    assert link
    assert seat["y"] + seat["height"] <= link["y"]
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(links).to_have_count(1)
    warning = page.locator(".room__invitation [data-part=unreachable]")
    expect(warning).to_be_hidden()  # guests cannot change the address of the site
    page.locator("[data-projector]").click()
    expect(warning).to_be_visible()
    visitor.close()


def test_failed_picks_are_resent(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?duration=120")["roomId"]
    visitor = Visitor(browser, arena_site.address)
    page, message = visitor.page, visitor.page.locator("[data-part=message]")
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.url)
        if len(sent) == 1:
            route.fulfill(status=502, body="<h1>Bad Gateway</h1>")
        elif len(sent) == 2:  # the request arrives, but its response is lost
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/api/Submit?*", answer)
    page.goto(f"/rooms/{room}/")
    page.get_by_label("Nickname").fill("Ada")
    page.get_by_label("Your number").fill("12.5")
    submit = page.get_by_role("button", name="Submit")
    submit.press("Enter")
    expect(message).not_to_be_empty()
    expect(submit).to_have_attribute("aria-disabled", "true")
    expect(submit).to_be_focused()
    assert len(sent) == 3
    assert len(set(sent)) == 1, "the same numbers for the same round"
    visitor.close()


def test_owners_changes_reach_players_at_once(arena_site: RunningSite, browser: Browser) -> None:
    owner, ada = Visitor(browser, arena_site.address), Visitor(browser, arena_site.address)
    owner.sign_up("moderator")
    owner.page.goto("/rooms/new/")
    owner.page.locator("[name=seconds]").fill("200")
    owner.page.locator("main form .form__actions button").click()
    owner.page.wait_for_url(re.compile(r"/rooms/\d+/setup/$"))
    room = re.sub(r"\D", "", owner.path)
    owner.page.goto(f"/rooms/{room}/")
    ada.page.goto(f"/rooms/{room}/")
    ada.page.locator("#nickname").fill("Ada")
    ada.page.locator("#n1").fill("12")
    ada.page.locator("[data-part=play] .button--primary").click()
    expect(ada.page.locator("[data-part=notice]")).to_be_hidden()
    owner.page.locator("[data-control=pause] button").click()
    notices = owner.page.locator("[data-part=notice-text], [data-part=controls-message]").filter(
        has_text=re.compile(r"\w")
    )
    for visitor in (owner, ada):
        expect(visitor.page.locator("[data-room]")).to_have_attribute("data-state", "paused")
        expect(visitor.page.locator("[data-part=notice]")).to_be_visible()
    expect(notices).to_have_count(1)
    owner.page.locator("[data-control=close-round] button").click()
    player = ada.page.locator("[data-part=standings] tr.is-mine .room__player")
    expect(player).to_have_text("Ada")
    message = owner.page.locator("[data-part=controls-message]")
    expect(message).to_have_text(re.compile(r"\b1\b"))
    framed = Visitor(browser, arena_site.address)
    framed.page.goto(f"/embed/rooms/{room}/")
    shown = framed.page.locator("[data-part=standings] .room__player")
    expect(shown).to_have_text("Ada")
    owner.page.set_viewport_size({"width": 390, "height": 844})
    owner.page.goto(f"/rooms/{room}/setup/")
    players = owner.page.locator(".table-wrap:has(.room-players)")
    assert players.evaluate("box => box.scrollWidth <= box.clientWidth"), "a phone shows the fields and buttons whole"
    owner.page.locator("form[action$='/name/'] input[name=name][required]").fill("Lovelace")
    owner.page.locator(".room-players form[action$='/name/'] button").click()
    for name in (player, shown, ada.page.locator("[data-part=last-nearest]")):
        expect(name).to_contain_text("Lovelace")
    for visitor in (owner, ada, framed):
        assert visitor.noise == []
        visitor.close()


def test_owner_starts_the_room_without_leaving_the_projector_view(arena_site: RunningSite, browser: Browser) -> None:
    owner = Visitor(browser, arena_site.address)
    page = owner.page
    owner.sign_up("lecturer")
    page.goto("/rooms/new/")
    page.locator("[name=started_by_hand][value='1']").check()
    page.locator("main form .form__actions button").click()
    page.wait_for_url(re.compile(r"/rooms/\d+/setup/$"))
    page.goto(f"/rooms/{re.sub(r'[^0-9]', '', owner.path)}/?view=projector")
    owner.mark_page()
    page.locator("[data-control=start] button").click()
    expect(page.locator("[data-room]")).to_have_attribute("data-state", "running")
    assert owner.never_left()
    assert page.url.endswith("?view=projector")
    assert owner.noise == []
    owner.close()
