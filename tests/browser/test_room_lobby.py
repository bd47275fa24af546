"""On a projector, a room's lobby shows all nicknames, and its standings show many players, without scrolling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

SCREENS = ((1366, 768), (1920, 1080))
ENGLISH = ("Ada", "Bob", "Charlotte", "Daniel", "Elizabeth", "Fatima", "Gunther", "Hypatia", "Isaac", "Maximilian R.")
CHINESE = ("王小明", "李华", "欧阳子轩", "张三丰", "黄金点高手", "陈静怡", "天天向上的小朋友", "赵子龙", "林黛玉")
# Names, and how to join, that the screen or a scroll box cuts off, and names that are shortened
_CUT = """() => {
    const lobby = document.querySelector("[data-part=lobby]").getBoundingClientRect();
    const chart = document.querySelector("[data-part=chart]").getBoundingClientRect();
    const isOutside = (inner, outer) => inner.height === 0 || inner.bottom > Math.min(outer.bottom, innerHeight)
        || inner.top < outer.top || inner.left < outer.left || inner.right > Math.min(outer.right, innerWidth);
    const names = [...document.querySelectorAll("[data-part=lobby-names] li")];
    const cut = names.filter((name) => isOutside(name.getBoundingClientRect(), lobby));
    const inviting = [...document.querySelectorAll(".room__invitation > *")];
    cut.push(...inviting.filter((part) => isOutside(part.getBoundingClientRect(), chart)));
    return cut.map((each) => each.textContent);
}"""
# In pixels. One call finds and measures the names: the script replaces them whenever somebody joins
_SMALLEST_FONT = """() => Math.min(...[...document.querySelectorAll("[data-part=lobby-names] li")]
    .map((name) => parseFloat(getComputedStyle(name).fontSize)))"""
_SHORTENED = "names => names.filter(name => name.scrollWidth > name.clientWidth).length"


def join(site: RunningSite, page: Page, room: int, names: Iterable[str]) -> None:
    for name in names:
        uid = site.json(f"/api/NewUser?{urlencode({'nickName': name, 'secret': 1})}")["userId"]
        assert page.request.post(f"/rooms/{room}/lobby/join/", form={"uid": uid}).ok


def expect_whole(page: Page, count: int) -> None:
    """Expect ``count`` names, all legible and none cut off, on screens of every size."""
    names = page.locator("[data-part=lobby-names] li")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        expect(names).to_have_count(count)
        page.wait_for_function(f"() => !({_CUT})().length")
        assert page.evaluate(_SMALLEST_FONT) >= 15
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("language", "called"), [("en", ENGLISH), ("zh-CN", CHINESE)])
def test_projector_shows_all_names_of_a_class(
    arena_site: RunningSite, browser: Browser, language: str, called: tuple[str, ...]
) -> None:
    room = arena_site.json("/api/NewRoom?manuallyStart=1")["roomId"]
    visitor = Visitor(browser, arena_site.address, locale=language)
    page = visitor.page
    page.goto(f"/rooms/{room}/?view=projector")
    names = [name if turn == 0 else f"{name} {turn}" for turn in range(7) for name in called][:60]
    join(arena_site, page, room, names[:25])
    expect_whole(page, 25)
    join(arena_site, page, room, names[25:])
    expect_whole(page, 60)
    shown = page.locator("[data-part=lobby-names] li")
    assert shown.evaluate_all(_SHORTENED) == 0
    assert visitor.noise == []
    visitor.close()


def test_projector_shows_the_newest_of_too_many_names(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?manuallyStart=1")["roomId"]
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.goto(f"/rooms/{room}/?view=projector")
    names = [f"Wolfgang Amadeus {number:03}" for number in range(100)]
    join(arena_site, page, room, names[:60])
    expect_whole(page, 60)
    join(arena_site, page, room, names[60:])
    shown, rest = page.locator("[data-part=lobby-names] li"), page.locator("[data-part=lobby-rest]")
    expect(page.locator("[data-part=lobby-count]")).to_have_text("100")
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(shown.first).to_have_text(names[-1])
    expect(rest).to_have_count(1)
    assert page.evaluate(_CUT) == []
    hidden = int("".join(filter(str.isdigit, rest.inner_text())))
    assert shown.count() - 1 + hidden == 100
    page.locator("[data-projector-end]").click()
    expect(shown).to_have_text(names)
    assert visitor.noise == []
    visitor.close()


def test_projector_shows_the_whole_code_before_the_first_round(arena_site: RunningSite, browser: Browser) -> None:
    room = arena_site.json("/api/NewRoom?duration=200")["roomId"]
    visitor = Visitor(browser, arena_site.address)
    page = visitor.page
    page.goto(f"/rooms/{room}/?view=projector")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".room__invitation .join-qr")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert visitor.noise == []
    visitor.close()


def chart_share(page: Page) -> float:
    """Return the share of the window's height that the chart takes up."""
    canvas = page.locator(".chart__plot canvas")
    expect(canvas).to_be_in_viewport(ratio=0.99)  # its lowest row of pixels may be cut
    return float(canvas.evaluate("canvas => canvas.getBoundingClientRect().height / innerHeight"))


def play_round(site: RunningSite, page: Page, players: int) -> str:
    """Let this many players submit a number in a new room; return the path of its projector view."""
    room = site.json("/api/NewRoom?duration=5")["roomId"]
    for number in range(players):
        uid = site.json(f"/api/NewUser?{urlencode({'nickName': f'Player {number}'})}")["userId"]
        for _ in range(5):  # the round may close between the two requests
            state = site.json(f"/api/State?roomid={room}&uid={uid}")
            if page.request.post(f"/api/Submit?uid={uid}&rid={state['roundId']}&n1={number + 1}").ok:
                break
    return f"/rooms/{room}/?view=projector"


def test_projector_shows_more_rows_of_long_standings(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1366, "height": 768})
    page = visitor.page
    page.goto(play_round(arena_site, page, 16))
    rows = page.locator("[data-part=standings] tbody tr")
    expect(rows).to_have_count(16)
    expect(rows.nth(10)).to_be_in_viewport(ratio=1)
    assert rows.nth(10).locator(".room__player").evaluate("name => name.offsetHeight") >= 24
    assert chart_share(page) >= 0.5
    assert visitor.noise == []
    visitor.close()


def test_projector_turns_through_the_standings_of_a_class(arena_site: RunningSite, browser: Browser) -> None:
    visitor = Visitor(browser, arena_site.address, viewport={"width": 1920, "height": 1080})
    page = visitor.page
    page.goto(play_round(arena_site, page, 40))
    rows, shown = page.locator("[data-part=standings] tbody tr"), page.locator("[data-part=rows-shown]")
    seen = rows.filter(visible=True)
    pause = page.locator("[data-turn=pause]")
    expect(rows).to_have_count(40)
    expect(shown).to_have_text(re.compile(r"^1–\d+ of 40$"))
    assert chart_share(page) >= 0.6
    first = shown.inner_text()
    expect(shown).not_to_have_text(first)  # by itself
    expect(shown).to_have_text(first)
    pause.focus()
    page.keyboard.press("Enter")
    players: list[str] = []
    while len(players) < 40:
        expect(shown).to_have_text(re.compile(rf"^{len(players) + 1}–{len(players) + seen.count()} of 40$"))
        expect(seen.last).to_be_in_viewport(ratio=1)
        players += seen.locator("th").all_inner_texts()
        page.locator("[data-turn=forward]").click()
    assert sorted(players) == sorted(f"Player {number}" for number in range(40))
    expect(shown).to_have_text(first)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator("[data-turn=forward]").click()
    for _ in range(2):
        assert pause.evaluate("button => button.offsetHeight") == page.locator("[data-turn=back]").evaluate(
            "button => button.offsetHeight"
        ), "the text of the button does not wrap"
        pause.click()
    page.locator("[data-projector-end]").click()
    expect(seen).to_have_count(40)
    expect(shown).to_be_hidden()
    assert visitor.noise == []
    visitor.close()
