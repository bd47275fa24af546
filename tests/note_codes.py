"""Identify messages on a page by the codes in its markup, so that tests do not depend on wording."""

from __future__ import annotations

import re


def note_codes(page: str) -> list[str]:
    """Return the ``data-note`` codes of a page in order."""
    return re.findall(r'\bdata-note="([^"]*)"', page)
