"""Measure the first paint of a first visit, in a browser without a cache.

The baseline is a short static text file from the same server. It shows how much of the time the browser and the server
take for any page.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from playwright.sync_api import Browser

from bench import page_content, site
from bench.measure import Sample, Subject, measure_interleaved
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from tests.broker import running_broker
from tests.bundle import bundle_once
from tests.visitor import chromium

VISITS: Final = 5
SECONDS: Final = 60.0  # the rest of the time limit is for setting up a site on a busy machine
GOAL: Final = Goal(9, GoalQuantity.RATIO)  # about 1 s
BASELINE: Final = "js/site/theme-boot.js"  # shown as text
ROOM: Final = "/api/NewRoom?userCount=5&duration=200"

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
    from django.templatetags.static import static

    folder = Path(os.environ["TMPDIR"])
    bundle_once()
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        call_command("collectstatic", "--noinput", verbosity=0)
        with site.running_web(folder, broker.url) as port:
            address = f"http://127.0.0.1:{port}"
            with urlopen(address + ROOM):
                pages = page_content.pages(partial(page_content.play_with_worker, folder=folder, broker_url=broker.url))
            samples = _measure(pages, address, static(BASELINE))
    baseline = (Comparison("baseline: a short static text file", samples["baseline"]),)
    rows = tuple(
        Row(f"first contentful paint of a first visit: {name}", samples[name], baseline, GOAL) for name in pages
    )
    return Section("first paint, in Chromium", rows)


def _measure(pages: dict[str, str], address: str, baseline: str) -> dict[str, Sample]:
    with chromium() as browser:
        subjects = {
            name: _paint_subject(browser, address, path) for name, path in {**pages, "baseline": baseline}.items()
        }
        return measure_interleaved(subjects, VISITS, seconds=SECONDS)


def _paint_subject(browser: Browser, address: str, path: str) -> Subject:
    return lambda: (_measure_first_paint(browser, address, path),)


def _measure_first_paint(browser: Browser, address: str, path: str) -> float:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    answer = page.goto(path)
    if answer is None or not answer.ok:
        raise RuntimeError(f"{path} responds with status {answer.status if answer else 'none'}")
    milliseconds: float = page.evaluate(_FIRST_PAINT)
    context.close()
    return milliseconds / 1000
