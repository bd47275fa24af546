"""The studio's editor, as an author's keyboard reaches it."""

from __future__ import annotations

from playwright.sync_api import Page


def replace_source(page: Page, source: str) -> None:
    """Replace the open file's text."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
