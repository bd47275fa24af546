"""The audit measures the area in which a tap reaches its target, which may include a label."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.audit import small_targets

pytestmark = pytest.mark.browser

BOX = '<input type="checkbox" style="width: 13px; height: 13px; margin: 0">'
LINK = '<a href="/" style="display: inline-block; width: 9em; height: 30px">another page</a>'
LABEL = '<label style="display: flex; width: fit-content; min-height: 30px; align-items: center">{}</label>'


@pytest.mark.parametrize(
    ("content", "is_small"),
    [
        (f"{BOX} Select this match", False),
        (f"{BOX} {LINK}", True),
        (f"{LINK} {BOX}", True),
        (f'{BOX} <span style="min-width: 2em"></span> {LINK}', False),
    ],
)
def test_link_in_label_takes_space_from_its_check_box(browser: Browser, content: str, is_small: bool) -> None:
    page = browser.new_page()
    page.set_content(LABEL.format(content))
    assert any("checkbox" in target for target in small_targets(page)) == is_small
    page.close()


@pytest.mark.parametrize("tabindex", [0, -1])
def test_what_takes_the_focus_is_a_target(browser: Browser, tabindex: int) -> None:
    """Cards open notes when tapped, but do not have the role of a control."""
    page = browser.new_page()
    card = '<span class="{}" tabindex="{}" style="display: inline-block; height: 24px; width: {}px">♣</span>'
    page.set_content(card.format("narrow", tabindex, 13) + card.format("wide", tabindex, 24))
    found = small_targets(page)
    assert len(found) == 1
    assert "narrow" in found[0]
    page.close()
