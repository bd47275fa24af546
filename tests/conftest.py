"""Fixtures of the whole suite: a site that keeps nothing outside the test's own folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

# Before Django reads its settings: no test ever touches the checkout's own var/.
os.environ["ARENA_VAR"] = tempfile.mkdtemp(prefix="arena-test-")
os.environ.setdefault("DEBUG", "1")  # static files without a collected manifest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.running_site import RunningSite


@pytest.fixture(scope="session")
def arena_site() -> Iterator[RunningSite]:
    """One real site for all tests that look at it in a browser; at the end it goes as it promises."""
    from tests.running_site import started

    with started(seeded=True) as running:
        yield running
        running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from tests.visitor import chromium

    with chromium() as running:
        yield running
