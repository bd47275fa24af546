"""A student's first bot and a match whose worker is killed, both watched live in a browser.

These are the tests of a running site that ``make test`` includes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite
from tests.stack.failing import Stack
from tests.stack.live_check import expect_live_check
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.smoke]

BOT = Path(__file__).parent / "bots" / "steady.py"
CHECK_MS = 300_000


@pytest.fixture(scope="module")
def student(unseeded_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, unseeded_site.address)
    visitor.sign_up("ada")
    yield visitor
    visitor.close()


def test_author_watches_the_check_live(student: Visitor) -> None:
    student.upload_new_bot("Reversi", "Steady", BOT)
    student.mark_page()
    expect(student.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=CHECK_MS)
    expect_live_check(student)


def test_match_of_killed_worker_is_requeued_and_finished(unseeded_site: RunningSite, student: Visitor) -> None:
    """A match whose worker is killed is requeued and finished while a spectator watches.

    ``test_failures`` covers PostgreSQL and the time until the match is requeued.
    """
    stack = Stack(unseeded_site)
    try:
        stack.populate("otto", bots=2)
        duel, match = stack.start_duel(stack.bots, pace=0.5)
        match, fence = stack.shell.kill_worker(match=match, part="process")
        student.page.goto(f"/matches/{match}/")
        student.mark_page()
        stack.wait_for(lambda: not stack.shell.is_interrupted(match=match, fence=fence), duel)
        stack.expect_complete(duel, matches=1)
        expect(student.page.locator("[data-part=result]")).to_contain_text("Hasty 1")
        assert student.never_left()
        assert student.noise == []
    finally:
        stack.shell.close()
