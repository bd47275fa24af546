"""An author tests whether a new version is better, watches the result, and returns to the better version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.running_site import RunningSite, run_site
from tests.visitor import TIMEOUT_MS, Visitor

pytestmark = [pytest.mark.stack, pytest.mark.browser]

BOTS = Path(__file__).parent / "bots"
TEST_MS = 5 * TIMEOUT_MS


@pytest.fixture(scope="module")
def idle_site() -> Iterator[RunningSite]:
    """Yield a site that runs no demonstration matches, so that its workers are idle before a test."""
    with run_site(seeded=False) as running:
        yield running
        running.stop()


def test_planted_regression_is_rejected_live(idle_site: RunningSite, browser: Browser) -> None:
    author = Visitor(browser, idle_site.address)
    author.sign_up("ada")
    page = author.page
    author.upload_new_bot("Reversi", "Steady", BOTS / "steady.py")
    check = page.locator("[data-check]")
    expect(check).to_have_attribute("data-status", "passed")
    bot = page.get_by_role("main").get_by_role("link", name="Steady").first.get_attribute("href")
    page.goto(f"{bot}submissions/new/")
    page.locator("input[type=file]").set_input_files(BOTS / "regression.py")
    page.locator("form[data-upload] .form__actions button").click()
    page.wait_for_url(re.compile(r"/studio/\?submission=\d+$"))
    expect(check).to_have_attribute("data-status", "passed")

    page.goto(str(bot))
    section = page.locator("#version-tests")
    section.get_by_label("Much better").check()
    section.locator(".form__actions button").click()
    page.wait_for_url(re.compile(r"/tests/1/$"))
    author.mark_page()
    verdict = page.get_by_role("heading", level=1)
    expect(verdict).to_have_attribute("data-note", "worse", timeout=TEST_MS)
    assert author.never_left(), "the page followed the test by itself"
    expect(page.locator("#version-test-actions form[action$='/cancel/']")).to_have_count(0)
    expect(page.locator("#decided tbody tr").first).to_be_visible()
    page.get_by_role("button", name="Activate v1").click()
    expect(page.get_by_role("row", name="Version 1").locator("[data-status=active]")).to_be_visible()
    assert author.noise == []
    author.close()
