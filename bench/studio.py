"""Measure the studio in a browser: the time from opening the page, or from a rerun, until the first move is shown.

The baseline is the time to load the sign-in page, a short page from the same server, in the same browser without a
cache.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench import games, site
from bench.measure import Sample
from bench.table import Comparison, Goal, GoalQuantity, Row, Section
from tests.broker import running_broker
from tests.bundle import bundle_once
from tests.visitor import chromium

VISITS, WARM_UP, RUNS = 5, 1, 3
TIMEOUT_MS = 30_000.0
FIRST_GOAL = Goal(15, GoalQuantity.RATIO)  # about 3 s
FURTHER_GOAL = Goal(7.5, GoalQuantity.RATIO)  # about 1.5 s


@dataclass(frozen=True, slots=True)
class _AuthorSession:
    """A signed-in person's session, and the URL of their studio."""

    session: str
    path: str


@dataclass(frozen=True, slots=True)
class _VisitTimes:
    """The times in seconds: loading a short page, first runs, and repeat runs."""

    baseline: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    further: list[float] = field(default_factory=list)


def run() -> Section:
    folder = Path(os.environ["TMPDIR"])
    bundle_once()
    with running_broker() as broker:
        site.set_up_django(folder, broker.url)
        author = _create_author()
        with (
            site.running_worker(folder, broker.url, "worker-scrimmages"),
            site.running_web(folder, broker.url) as port,
        ):
            seen = _measure_visits(f"http://127.0.0.1:{port}", author)
    baseline = (Comparison("baseline: the sign-in page, loaded without a cache", Sample(tuple(seen.baseline))),)
    rows = (
        Row("from opening the studio to the first move of a run", Sample(tuple(seen.first)), baseline, FIRST_GOAL),
        Row("from Run to the first move of each further run", Sample(tuple(seen.further)), baseline, FURTHER_GOAL),
    )
    return Section("studio, in Chromium", rows)


def _create_author() -> _AuthorSession:
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    from arena.submissions.models import Submission

    call_command("collectstatic", "--noinput", verbosity=0)
    bot = Submission.objects.select_related("bot__owner").get(pk=site.seat_bots(games.pair_workload().bot())[0]).bot
    client = Client()
    client.force_login(bot.owner)
    return _AuthorSession(client.cookies["sessionid"].value, reverse("studio", args=[bot.pk]))


def _measure_visits(address: str, author: _AuthorSession) -> _VisitTimes:
    """Measure visits, each without a cache.

    Warm-up visits do not count, because a worker process's first bots also start its fork server.
    """
    seen = _VisitTimes()
    with chromium() as browser:
        for visit in range(WARM_UP + VISITS):
            counted = seen if visit >= WARM_UP else _VisitTimes()
            _load_short_page(browser, address, counted)
            _run_in_studio(browser, address, author, counted)
    return seen


def _load_short_page(browser: Browser, address: str, seen: _VisitTimes) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    began = time.perf_counter()
    page.goto("/accounts/login/")
    seen.baseline.append(time.perf_counter() - began)
    context.close()


def _run_in_studio(browser: Browser, address: str, author: _AuthorSession, seen: _VisitTimes) -> None:
    """Open the studio and run the bot several times; append the times to ``seen``."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(TIMEOUT_MS)
    context.add_cookies([{"name": "sessionid", "value": author.session, "url": address}])
    page = context.new_page()
    began = time.perf_counter()
    page.goto(author.path, wait_until="commit")
    _press_run(page)
    seen.first.append(time.perf_counter() - began)
    for _ in range(RUNS):
        began = time.perf_counter()
        _press_run(page)
        seen.further.append(time.perf_counter() - began)
    context.close()


def _press_run(page: Page) -> None:
    """Press Run, and wait until the board shows a move of that run."""
    board = page.locator("[data-run-board]")
    page.locator("[data-part=files] [role=tab]").first.wait_for()  # the editor is loaded
    before = board.get_attribute("data-run-id") if board.count() else ""
    page.locator('[data-run="1"]').click()
    moved = """before => {
      const board = document.querySelector("[data-run-board]");
      const shown = Number(board?.querySelector("[data-part=range]")?.max ?? 0);
      return board !== null && board.dataset.runId !== before && shown > 0;
    }"""
    page.wait_for_function(moved, arg=before)
