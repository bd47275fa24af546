"""The programs outside Python that some tests need."""

from __future__ import annotations

import shutil

# Debian's headless shell has no browser window, whose toolbar would take about a second of CPU time for each visitor.
_CHROMIUM = ("chromium-headless-shell", "chromium")


def find_program(name: str) -> str | None:
    """Return the path of a program, or None if it is not installed; "chromium" is found in any of its packages."""
    names = _CHROMIUM if name == "chromium" else (name,)
    return next((path for one in names if (path := shutil.which(one))), None)
