"""Every page in both languages, both themes, on a desktop and a phone: accessible, and without console messages.

axe-core finds nothing serious, the browser's console stays empty (so nothing violates the content security policy),
nothing is wider than a phone's screen, and a first visit takes few requests and bytes, including WebSockets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.audit import AXE, DESKTOP, PHONE, Look, apply_look, audit_page, layout_faults
from tests.browser.content import Content
from tests.browser.weight import MAX_BYTES, MAX_REQUESTS, Traffic, measure_traffic
from tests.running_site import RunningSite
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

# axe runs in English only: the structure, names and colours that it checks are the same in both languages, and
# tests/test_messages.py finds untranslated names. It sees every page in both themes and on both screens. The
# combinations alternate from page to page; pages share their components, so these are seen in all four.
LOOKS = (
    (Look("light", *DESKTOP), Look("dark", *PHONE)),
    (Look("dark", *DESKTOP), Look("light", *PHONE)),
)
# In Chinese, only the lengths of words and the texts loaded by scripts differ.
NARROW = Look("light", *PHONE)
ACCEPTED = {"en": "en-US", "zh-hans": "zh-CN"}

Address = Callable[[Content], str]


@dataclass(frozen=True, slots=True)
class PageType:
    address: Address
    status: int = 200


EVERYBODYS: dict[str, PageType] = {
    "home": PageType(lambda _: "/"),
    "matches": PageType(lambda _: "/matches/"),
    "matches, none found": PageType(lambda _: "/matches/?status=void"),
    "match of reversi, live": PageType(lambda content: content.live_match("reversi")),
    "match of golden point, live": PageType(lambda content: content.live_match("golden_point")),
    "match of reversi, over": PageType(lambda content: content.over_match["reversi"]),
    "match of reversi, at a turn": PageType(lambda content: f"{content.over_match['reversi']}?at=5"),
    "match of golden point, over": PageType(lambda content: content.over_match["golden_point"]),
    "match of golden point, one seat's moves": PageType(lambda content: f"{content.over_match['golden_point']}?seat=1"),
    "analysis of a match": PageType(lambda content: f"{content.over_match['reversi']}analysis/"),
    "analysis board": PageType(lambda _: "/reversi/board/?moves=F5D6C3&at=2"),
    "analysis board, no such move": PageType(lambda _: "/reversi/board/?text=f5f5"),
    "match with a fault": PageType(lambda content: content.erring_match),
    "match on the projector": PageType(lambda content: f"{content.over_match['reversi']}?view=projector"),
    "big screen": PageType(lambda _: "/tv/"),
    "big screen over another picture": PageType(
        lambda content: f"/tv/?tournament={content.over['reversi'].split('/')[2]}&overlay=1"
    ),
    "embedded match": PageType(lambda content: f"/embed{content.over_match['reversi']}"),
    "embedded table": PageType(lambda content: f"/embed{content.over['reversi']}"),
    "rooms": PageType(lambda _: "/rooms/"),
    "rooms, none found": PageType(lambda _: "/rooms/?state=finished"),
    "room": PageType(lambda _: "/rooms/1/"),
    "room on the projector": PageType(lambda _: "/rooms/1/?view=projector"),
    "room that is not there": PageType(lambda _: "/rooms/99/", 404),
    "what explains a room": PageType(lambda _: "/analysis/golden-point/rooms/1/"),
    "what explains a match": PageType(lambda content: f"/analysis/golden-point{content.over_match['golden_point']}"),
    "what explains a recording": PageType(lambda _: "/analysis/golden-point/recordings/example/?player=3&x=9&round=2"),
    "recordings": PageType(lambda _: "/recordings/"),
    "recording": PageType(lambda _: "/recordings/example/"),
    "interface of rooms": PageType(lambda _: "/swagger"),
    "match of 2584, live": PageType(lambda content: content.live_match("fib2584")),
    "match of 2584, over": PageType(lambda content: content.over_match["fib2584"]),
    "match of 2584, at a turn": PageType(lambda content: f"{content.over_match['fib2584']}?at=3"),
    "solver of 2584": PageType(lambda _: "/2584/solver/"),
    "solver of 2584, before a drop": PageType(lambda _: "/2584/solver/?after=0-0-0-0-1-2"),
    "solver of 2584, small tiles": PageType(lambda _: "/2584/solver/?before=3-4-5-6-7-8"),
    "solver of 2584, large tiles": PageType(lambda _: "/2584/solver/?before=9-10-11-12-1-2"),
    "solver of 2584, no such tile": PageType(lambda _: "/2584/solver/?before=33-32-31-30-29-28"),
    "learner of 2584": PageType(lambda _: "/2584/learn/"),
    "luck-adjusted scores": PageType(lambda _: "/2584/scores/"),
    "play 2584, a guest": PageType(lambda _: "/play/?game=fib2584"),
    "API": PageType(lambda _: "/api/v1/docs"),
    "tournaments": PageType(lambda _: "/tournaments/"),
    "tournament, live": PageType(lambda content: content.live_tournament),
    "tournament of reversi, over": PageType(lambda content: content.over["reversi"]),
    "tournament of golden point, over": PageType(lambda content: content.over["golden_point"]),
    "score attack of 2584, over": PageType(lambda content: content.over["fib2584"]),
    "tournament, its matches": PageType(lambda content: f"{content.over['reversi']}matches/"),
    "tournament, open": PageType(lambda content: content.open_tournament),
    "leaderboard of reversi": PageType(lambda _: "/leaderboards/reversi/"),
    "leaderboard of golden point": PageType(lambda _: "/leaderboards/golden_point/"),
    "ladder": PageType(lambda _: "/ladder/reversi/"),
    "ladder of 2584": PageType(lambda _: "/ladder/fib2584/"),
    "bots": PageType(lambda _: "/bots/"),
    "search": PageType(lambda _: "/search/?q=c"),
    "learning path": PageType(lambda _: "/path/"),
    "somebody's bot": PageType(lambda content: content.own_bot),
    "somebody's profile": PageType(lambda _: "/people/iris/"),
    "the house's profile": PageType(lambda _: "/people/house/"),
    "class, its link": PageType(lambda content: content.join_link),
    "class, its code": PageType(lambda _: "/classes/join/"),
    "class, a wrong code": PageType(lambda _: "/classes/join/?code=nonsense"),
    "class, no such code": PageType(lambda _: "/classes/join/AAAA-AAAA/", 404),
    "play, a guest": PageType(lambda _: "/play/"),
    "open data": PageType(lambda _: "/data/"),
    "guide": PageType(lambda _: "/guide/"),
    "guide to one game": PageType(lambda _: "/guide/reversi/"),
    "guide to golden point": PageType(lambda _: "/guide/golden_point/"),
    "guide to 2584": PageType(lambda _: "/guide/fib2584/"),
    "guide to suit pairs": PageType(lambda _: "/guide/suit_pairs/"),
    "guide to training": PageType(lambda _: "/guide/train/"),
    "lesson": PageType(lambda _: "/learn/?world=5&played=1221&step=30"),
    "sign up": PageType(lambda _: "/accounts/signup/"),
    "sign in": PageType(lambda content: f"/accounts/login/?next={content.own_bot}"),
    "password reset": PageType(lambda _: "/accounts/password/reset/"),
    "password reset, sent": PageType(lambda _: "/accounts/password/reset/sent/"),
    "not found": PageType(lambda _: "/nowhere/", 404),
}
MEMBERS: dict[str, PageType] = {
    "home, signed in": PageType(lambda _: "/"),
    "learning path, signed in": PageType(lambda _: "/path/"),
    "own bot": PageType(lambda content: content.own_bot),
    "studio": PageType(lambda content: f"{content.own_bot}studio/"),
    "studio, a new bot": PageType(lambda _: "/studio/new/reversi/"),
    "studio, a new bot of golden point": PageType(lambda _: "/studio/new/golden_point/"),
    "tests of versions": PageType(lambda content: f"{content.own_bot}tests/"),
    "own bot, its name": PageType(lambda content: f"{content.own_bot}edit/"),
    "new bot": PageType(lambda _: "/bots/new/"),
    "new version": PageType(lambda content: f"{content.own_bot}submissions/new/"),
    "submission, passed": PageType(lambda content: content.passed),
    "submission, failed": PageType(lambda content: content.failed),
    "submission, passed with an illegal answer": PageType(lambda content: content.erring),
    "match in which one's bot failed": PageType(lambda content: content.erring_match),
    "submission, its match": PageType(lambda content: f"{content.passed}match/"),
    "submission, its source": PageType(lambda content: f"{content.passed}source/"),
    "play": PageType(lambda _: "/play/"),
    "scrimmage": PageType(lambda _: "/scrimmages/new/"),
    "tournament to enter and to organize": PageType(lambda content: content.open_tournament),
    "tournament, new": PageType(lambda _: "/tournaments/new/"),
    "tournament, new, who and when": PageType(lambda _: "/tournaments/new/?game=reversi&preset=class_cup"),
    "tournament, new, of golden point": PageType(lambda _: "/tournaments/new/?game=golden_point"),
    "operations of an open tournament": PageType(lambda content: f"{content.open_tournament}operations/"),
    "operations of a tournament that is over": PageType(lambda content: f"{content.over['reversi']}operations/"),
    "tournament, changed": PageType(lambda content: f"{content.open_tournament}edit/"),
    "workers": PageType(lambda _: "/workers/"),
    "new room": PageType(lambda _: "/rooms/new/"),
    "recurring tournaments": PageType(lambda _: "/tournaments/series/"),
    "new recording": PageType(lambda _: "/recordings/new/"),
    "classes": PageType(lambda _: "/classes/"),
    "class": PageType(lambda content: content.own_class),
    "class, nobody found": PageType(lambda content: f"{content.own_class}?text=nobody"),
    "class, new": PageType(lambda _: "/classes/new/"),
    "class, changed": PageType(lambda content: f"{content.own_class}edit/"),
    "class, its link, in it": PageType(lambda content: content.join_link),
    "notifications": PageType(lambda _: "/notifications/"),
    "notifications, none found": PageType(lambda _: "/notifications/?kind=announcement"),
    "own profile": PageType(lambda _: "/people/iris/"),
    "settings": PageType(lambda _: "/accounts/settings/"),
    "following": PageType(lambda _: "/following/"),
    "webhooks": PageType(lambda _: "/accounts/settings/webhooks/"),
    "tokens": PageType(lambda _: "/accounts/settings/tokens/"),
    "password change": PageType(lambda _: "/accounts/password/change/"),
    "not allowed": PageType(lambda _: "/workers/sandbox/", 403),
}


# Pages that only an operator sees, and pages linked from their emails; see ``rows``.
OPERATORS = (
    "password reset, from its email",
    "email address, to be confirmed",
    "emails, to be turned off",
    "webhook",
    "room, its settings",
    "bot that crashed in a room",
    "workers' sandboxes",
)


@pytest.fixture(scope="module", params=list(ACCEPTED))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@dataclass(frozen=True, slots=True)
class Reader:
    """A visitor, and the traffic of the open page."""

    visitor: Visitor
    weight: Traffic


Opening = Callable[..., AbstractContextManager[Reader]]


@pytest.fixture(scope="module")
def opening(arena_site: RunningSite, browser: Browser, language: str) -> Opening:
    """Return a context manager that opens a browser context in this language."""

    @contextmanager
    def reader(**context: Any) -> Iterator[Reader]:
        visitor = Visitor(browser, arena_site.address, locale=ACCEPTED[language], **context)
        if language == "en":
            visitor.context.add_init_script(AXE)
        yield Reader(visitor, measure_traffic(visitor))
        visitor.close()

    return reader


@pytest.fixture(scope="module")
def anybody(opening: Opening) -> Iterator[Reader]:
    with opening() as reader:
        yield reader


@pytest.fixture(scope="session")
def private(arena_site: RunningSite) -> dict[str, Any]:
    code = "from tests.browser.rows import create_operator_content; print(create_operator_content())"
    return dict(json.loads(arena_site.manage("shell", "-c", code).splitlines()[-1]))


@pytest.fixture(scope="module")
def operator(arena_site: RunningSite, opening: Opening, private: Any) -> Iterator[Reader]:
    with opening() as reader:
        cookie = {"name": "sessionid", "value": private["session"], "url": arena_site.address}
        reader.visitor.context.add_cookies([cookie])
        yield reader


@pytest.fixture(scope="module")
def member(opening: Opening, content: Content) -> Iterator[Reader]:
    cookies = [cookie for cookie in content.owner["cookies"] if cookie["name"] == "sessionid"]
    with opening(storage_state={"cookies": cookies}) as reader:
        yield reader


@pytest.mark.parametrize("name", EVERYBODYS)
def test_public_page_passes_the_audit(anybody: Reader, content: Content, language: str, name: str) -> None:
    kind = EVERYBODYS[name]
    check_page(anybody, kind.address(content), kind.status, language, list(EVERYBODYS).index(name))


@pytest.mark.parametrize("name", MEMBERS)
def test_member_page_passes_the_audit(member: Reader, content: Content, language: str, name: str) -> None:
    kind = MEMBERS[name]
    check_page(member, kind.address(content), kind.status, language, list(MEMBERS).index(name))


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_page_passes_the_audit(operator: Reader, private: Any, language: str, name: str) -> None:
    check_page(operator, private["pages"][name], 200, language, OPERATORS.index(name))


def check_page(reader: Reader, address: str, status: int, language: str, number: int) -> None:
    """Visit a page and audit it; ``number``: its position in the table, which selects the looks."""
    visitor, weight = reader.visitor, reader.weight
    visitor.page.goto("about:blank")  # so that the previous page cannot send further requests
    visitor.noise.clear()
    weight.reset()
    # Start with the previous page's viewport, because resizing takes time.
    width = (visitor.page.viewport_size or {}).get("width")
    first, second = sorted(LOOKS[number % 2], key=lambda look: look.width != width)
    apply_look(visitor.page, first if language == "en" else NARROW)
    answer = visitor.page.goto(address)
    assert answer
    assert answer.status == status
    assert visitor.page.locator("html").get_attribute("lang") == language
    assert visitor.page.locator("h1").count() == 1
    found = audit_page(visitor.page, first) if language == "en" else layout_faults(visitor.page, NARROW)
    assert weight.requests <= MAX_REQUESTS, weight
    assert weight.bytes <= MAX_BYTES, weight
    assert found + (audit_page(visitor.page, second) if language == "en" else []) == []
    # The browser itself logs responses with an error status.
    assert [line for line in visitor.noise if f"status of {status}" not in line] == []
