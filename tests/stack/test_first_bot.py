"""A student's first bot, watched live in a browser, and a match whose worker is killed.

``make test`` includes both; without a browser, only the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite
from tests.stack.failing import Stack
from tests.stack.live_check import expect_live_check
from tests.visitor import Visitor

pytestmark = pytest.mark.stack

BOT = Path(__file__).parent / "bots" / "steady.py"
CHECK_MS = 300_000


@pytest.fixture(scope="module")
def student(unseeded_site: RunningSite, browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, unseeded_site.address)
    visitor.sign_up("ada")
    yield visitor
    visitor.close()


@pytest.mark.browser
@pytest.mark.smoke
def test_author_watches_the_check_live(student: Visitor) -> None:
    student.upload_new_bot("Reversi", "Steady", BOT)
    student.mark_page()
    expect(student.page.locator("[data-check]")).to_have_attribute("data-status", "passed", timeout=CHECK_MS)
    expect_live_check(student)


@pytest.fixture(scope="module")
def stack(unseeded_site: RunningSite) -> Iterator[Stack]:
    running = Stack(unseeded_site)
    running.populate(bots=2)
    yield running
    running.shell.close()


@dataclass(frozen=True, slots=True)
class InterruptedDuel:
    """A tournament of one match, whose worker has been killed; ``fence`` is the match's fence at that time."""

    stack: Stack
    tournament: int
    match: int
    fence: int

    def expect_finished(self) -> None:
        """Wait until the match has been requeued and finished."""
        self.stack.wait_for(
            lambda: not self.stack.shell.is_interrupted(match=self.match, fence=self.fence), self.tournament
        )
        self.stack.expect_complete(self.tournament, matches=1)


def interrupted_duel(stack: Stack) -> InterruptedDuel:
    tournament, match = stack.start_duel(stack.bots, pace=0.5)
    match, fence = stack.shell.kill_worker(match=match, part="process")
    return InterruptedDuel(stack, tournament, match, fence)


@pytest.mark.smoke
def test_match_of_killed_worker_is_requeued_and_finished(stack: Stack) -> None:
    """``test_failures`` covers PostgreSQL and the time until the match is requeued."""
    interrupted_duel(stack).expect_finished()


@pytest.mark.browser
def test_spectator_watches_the_match_of_a_killed_worker_to_its_end(stack: Stack, student: Visitor) -> None:
    duel = interrupted_duel(stack)
    student.page.goto(f"/matches/{duel.match}/")
    student.mark_page()
    duel.expect_finished()
    expect(student.page.locator("[data-part=result]")).to_contain_text("Hasty 1")
    assert student.never_left()
    assert student.noise == []
