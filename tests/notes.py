"""Recognize what a page says by the codes in its markup: the wording may change."""

from __future__ import annotations

import re


def notes(page: str) -> list[str]:
    """Return the codes of the sentences with ``data-note``, in the order of the page."""
    return re.findall(r'\bdata-note="([^"]*)"', page)
