"""Audit every page in both languages and both themes, on a desktop and a phone.

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
from tests.browser.page_types import EVERYBODYS, MEMBERS, OPERATORS
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
# Pages with live matches look for the next ones 8 seconds after loading; an audit may take longer.
FIRST_VISIT_S = 5
ACCEPTED = {"en": "en-US", "zh-hans": "zh-CN"}


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
        yield Reader(visitor, measure_traffic(visitor, FIRST_VISIT_S))
        visitor.close()

    return reader


@pytest.fixture(scope="module")
def anybody(opening: Opening) -> Iterator[Reader]:
    """Yield a reader who is not signed in."""
    with opening() as reader:
        yield reader


@pytest.fixture(scope="session")
def private(arena_site: RunningSite) -> dict[str, Any]:
    """Create an operator's content; return the operator's session key and the path of each page."""
    code = "from tests.browser.rows import create_operator_content; print(create_operator_content())"
    return dict(json.loads(arena_site.manage("shell", "-c", code).splitlines()[-1]))


@pytest.fixture(scope="module")
def operator(arena_site: RunningSite, opening: Opening, private: Any) -> Iterator[Reader]:
    """Yield a reader who is signed in as an operator."""
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
    check_page(operator, private["pages"][name], 200, language, list(OPERATORS).index(name))


def check_page(reader: Reader, address: str, status: int, language: str, number: int) -> None:
    """Visit ``address``, check the response's status and the page's language, and audit the page.

    ``number``: the page's position in its table; it determines which theme is combined with which screen width.
    """
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
    assert weight.requests <= MAX_REQUESTS, str(weight)
    assert weight.bytes <= MAX_BYTES, str(weight)
    assert found + (audit_page(visitor.page, second) if language == "en" else []) == []
    # The browser itself logs responses with an error status.
    assert [line for line in visitor.noise if f"status of {status}" not in line] == []
