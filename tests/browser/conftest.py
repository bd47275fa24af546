from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.content import Content
    from tests.running_site import RunningSite


@pytest.fixture(scope="session")
def content(arena_site: RunningSite) -> Content:
    """Create the site's content once, in a separate browser."""
    from tests.browser.content import create_content
    from tests.visitor import chromium

    with chromium() as browser:
        return create_content(arena_site, browser)
