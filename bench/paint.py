"""Measure the first paint of a first visit, in a browser without a cache."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from bench import site
from bench.measure import Sample
from bench.table import Goal, Row, Section
from tests.broker import running_broker
from tests.bundle import bundle_once
from tests.visitor import chromium

VISITS: Final = 5
GOAL: Final = Goal(1.0)
PAGES: Final = {
    "home": "/",
    "matches": "/matches/",
    "tournaments": "/tournaments/",
    "guide": "/guide/",
    "play": "/play/",
}

_FIRST_PAINT = """() => new Promise(done => {
    const found = entries => entries.find(entry => entry.name === 'first-contentful-paint');
    const there = found(performance.getEntriesByType('paint'));
    if (there) return done(there.startTime);
    new PerformanceObserver(list => {
        const entry = found(list.getEntries());
        if (entry) done(entry.startTime);
    }).observe({ type: 'paint', buffered: true });
})"""


def run() -> Section:
    from django.core.management import call_command

    folder = Path(os.environ["TMPDIR"])
    bundle_once()
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        call_command("collectstatic", "--noinput", verbosity=0)
        with site.web(folder, broker.url) as port, chromium() as browser:
            address = f"http://127.0.0.1:{port}"
            rows = tuple(
                Row(f"first contentful paint of a first visit: {name}", _sample(browser, address, path), goal=GOAL)
                for name, path in PAGES.items()
            )
    return Section("first paint, in Chromium", rows)


def _sample(browser: Browser, address: str, path: str) -> Sample:
    """Return seconds of visits, each without a cache, after a warm-up visit."""
    visits = [_first_paint(browser, address, path) for _ in range(VISITS + 1)]
    return Sample(tuple(visits[1:]))


def _first_paint(browser: Browser, address: str, path: str) -> float:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto(path)
    milliseconds: float = page.evaluate(_FIRST_PAINT)
    context.close()
    return milliseconds / 1000
