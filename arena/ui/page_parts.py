"""Registry of parts that apps add to every page, so that the base template does not need to know about them.

An app registers a template in ``AppConfig.ready``. It is rendered with the context of the page, to which context
processors add the data that the part shows.
"""

from __future__ import annotations

from enum import StrEnum


class PageRegion(StrEnum):
    """A region of the base template to which apps can add parts."""

    NAVIGATION = "navigation"  # links in the main navigation
    TOOLS = "tools"  # buttons at the end of the header
    END = "end"  # after the content: footer, bars and dialogs


_REGISTERED: dict[PageRegion, dict[str, int]] = {region: {} for region in PageRegion}


def register_part(region: PageRegion, template: str, *, order: int) -> None:
    """Register a template; templates with a lower ``order`` come first."""
    if _REGISTERED[region].setdefault(template, order) != order:
        raise RuntimeError(f"{template} is registered twice")


def templates(region: PageRegion) -> list[str]:
    """Return the templates registered for a region, in order."""
    return sorted(_REGISTERED[region], key=lambda template: (_REGISTERED[region][template], template))
