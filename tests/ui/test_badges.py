"""All badges begin with a capital letter, so that those beside each other look alike."""

from __future__ import annotations

import re

from tests.running_site import ROOT

_WRITTEN = re.compile(r'class="badge"[^>]*>\{% translate "([^"]*)"')
_PASSED = re.compile(r'\{% translate "([^"]*)"(?: context "[^"]*")? as \w+ %\}\{% status_badge ')


def test_badges_begin_with_a_capital_letter() -> None:
    pages = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "arena").rglob("templates/**/*.html")]
    texts = {text for page in pages for way in (_WRITTEN, _PASSED) for text in way.findall(page.read_text())}
    assert {"Active", "House"} <= texts
    assert {text for text in texts if not text[0].isupper()} == set()
