"""A first visit is cheap: few requests, sockets and the icon included, and few bytes, whatever the page shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.content import Content
from tests.browser.weight import first_visit, visit
from tests.running_site import RunningSite

pytestmark = [pytest.mark.stack, pytest.mark.browser]

MOST_BYTES = 250_000
MOST_REQUESTS = 15
MOST_OF_A_MATCH = 12

Address = Callable[[Content], str]

MATCHES: dict[str, Address] = {
    "reversi, live": lambda content: content.live_match("reversi"),
    "reversi, over": lambda content: content.over_match["reversi"],
    "golden point, live": lambda content: content.live_match("golden_point"),
    "golden point, over": lambda content: content.over_match["golden_point"],
    "2584, live": lambda content: content.live_match("fib2584"),
    "2584, over": lambda content: content.over_match["fib2584"],
    "suit pairs, live": lambda content: content.live_match("suit_pairs"),
    "suit pairs, over": lambda content: content.over_match["suit_pairs"],
    "in which one's bot failed": lambda content: content.erring_match,
}
# Those whose reader is the author of a bot.
OWN_MATCHES = {"in which one's bot failed"}
PAGES: dict[str, Address] = {
    "home": lambda _: "/",
    "matches": lambda _: "/matches/",
    "tournament, live": lambda content: content.live_tournament,
    "tournament, over": lambda content: content.over["golden_point"],
    "big screen": lambda _: "/tv/",
    "embedded table": lambda content: f"/embed{content.over['golden_point']}",
    "leaderboard": lambda _: "/leaderboards/reversi/",
    "somebody's bot": lambda content: content.own_bot,
    "what explains a match": lambda content: f"/analysis/golden-point{content.over_match['golden_point']}",
    "room": lambda _: "/rooms/1/",
    "recording": lambda _: "/recordings/example/",
    "what explains a recording": lambda _: "/analysis/golden-point/recordings/example/?player=3&x=9&round=2",
    "analysis of a match": lambda content: f"{content.over_match['reversi']}analysis/",
    "analysis board": lambda _: "/reversi/board/?moves=F5D6C3&at=2",
    "solver of 2584": lambda _: "/2584/solver/",
    "learner of 2584": lambda _: "/2584/learn/",
    "luck-adjusted scores": lambda _: "/2584/scores/",
    "play": lambda _: "/play/",
    "search": lambda _: "/search/?q=c",
    "guide": lambda _: "/guide/",
    "guide to one game": lambda _: "/guide/reversi/",
    "guide to 2584": lambda _: "/guide/fib2584/",
    "guide to Suit Pairs": lambda _: "/guide/suit_pairs/",
    "lesson": lambda _: "/learn/?world=5&played=1221&step=30",
    "interface of rooms": lambda _: "/swagger",
}
MEMBERS: dict[str, Address] = {
    "home, signed in": lambda _: "/",
    "new bot": lambda _: "/bots/new/",
    "new tournament": lambda _: "/tournaments/new/",
    "studio": lambda content: f"{content.own_bot}studio/",
    "own bot": lambda content: content.own_bot,
    "submission, passed": lambda content: content.passed,
    "submission, failed": lambda content: content.failed,
    "operations": lambda content: f"{content.over['reversi']}operations/",
    "workers": lambda _: "/workers/",
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_match(arena_site: RunningSite, browser: Browser, content: Content, name: str) -> None:
    reader = {"storage_state": content.owner} if name in OWN_MATCHES else {}
    with first_visit(browser, arena_site.address, **reader) as (page, weight):
        visit(page, weight, MATCHES[name](content))
        expect(page.locator("[data-part=position]")).not_to_be_empty()  # its script has drawn it
    assert weight.requests <= MOST_OF_A_MATCH, weight
    assert weight.bytes <= MOST_BYTES, weight


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page(arena_site: RunningSite, browser: Browser, content: Content, name: str, locale: str) -> None:
    with first_visit(browser, arena_site.address, locale=locale) as (page, weight):
        visit(page, weight, PAGES[name](content))
    assert weight.requests <= MOST_REQUESTS, weight
    assert weight.bytes <= MOST_BYTES, weight


@pytest.mark.parametrize("name", MEMBERS)
def test_a_members_page(arena_site: RunningSite, browser: Browser, content: Content, name: str) -> None:
    with first_visit(browser, arena_site.address, storage_state=content.owner) as (page, weight):
        visit(page, weight, MEMBERS[name](content))
    assert weight.requests <= MOST_REQUESTS, weight
    assert weight.bytes <= MOST_BYTES, weight


def test_a_second_visit_loads_no_script_again(arena_site: RunningSite, browser: Browser, content: Content) -> None:
    """What is named by its content stays in the browser for ever, chunks included."""
    with first_visit(browser, arena_site.address) as (page, weight):
        visit(page, weight, content.over_match["reversi"])
        paths = {path for path in weight.paths.values() if path.startswith("/static/")}
        kept = page.evaluate(
            """paths => Promise.all(paths.map(path =>
                fetch(path).then(answer => [path, answer.headers.get('cache-control') ?? ''])))""",
            sorted(paths),
        )
    assert any(path.startswith("/static/chunks/") for path, _ in kept)
    assert [path for path, control in kept if "immutable" not in control] == []
