"""A student's first bot, and a match whose worker is killed, each of them watched live in a browser.

These are the tests of a running site that ``make test`` includes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite
from tests.stack.failing import Stack
from tests.visitor import Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.smoke]

BOT = Path(__file__).parent / "bots" / "steady.py"
STEPS = ("syntax", "import", "player", "first_move", "match")
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
    assert student.never_left()
    steps = student.page.locator("[data-step]")
    assert steps.evaluate_all("all => all.map(step => [step.dataset.step, step.dataset.state])") == [
        [name, "passed"] for name in STEPS
    ]
    events = student.events(student.path.strip("/"))
    arrived = [(event["step"]["name"], event["step"]["state"]) for event in events if event["type"] == "step"]
    assert ("match", "passed") in arrived
    assert events[-1]["type"] == "done"
    assert student.noise == []


def test_match_of_killed_worker_is_requeued_and_finished(unseeded_site: RunningSite, student: Visitor) -> None:
    """A match whose worker is killed is requeued and finished, before the eyes of a spectator.

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
