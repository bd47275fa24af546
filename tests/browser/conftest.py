from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.content import Content
    from tests.running_site import RunningSite
    from tests.visitor import Visitor

AUTHORS = count(1)


@pytest.fixture(scope="session")
def content(arena_site: RunningSite) -> Content:
    """Create the site's content once, in a separate thread: a thread can run only one instance of Playwright."""
    from tests.browser.content import create_content
    from tests.visitor import chromium

    def create() -> Content:
        with chromium() as browser:
            return create_content(arena_site, browser)

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(create).result()


@pytest.fixture
def author(arena_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    """Yield a new person who writes bots; their browser must not log anything."""
    from tests.visitor import WITH_MOTION, Visitor

    visitor = Visitor(browser, arena_site.address, **WITH_MOTION)
    visitor.sign_up(f"author-{next(AUTHORS)}")
    yield visitor
    assert visitor.noise == []
    visitor.close()
