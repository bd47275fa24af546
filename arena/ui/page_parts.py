"""Registry of the parts that apps add to every page, so that the base template knows none of them.

An app registers a template in ``AppConfig.ready``; it is rendered with the context of the page, to which context
processors add what the part shows.
"""

from __future__ import annotations

from enum import StrEnum


class Slot(StrEnum):
    """A place of the base template."""

    NAVIGATION = "navigation"  # links of the main navigation
    TOOLS = "tools"  # buttons at the end of the header
    END = "end"  # after the content: footer, bars and dialogs


_REGISTERED: dict[Slot, dict[str, int]] = {slot: {} for slot in Slot}


def register(slot: Slot, template: str, *, order: int) -> None:
    """Register a template; lower numbers come first."""
    if _REGISTERED[slot].setdefault(template, order) != order:
        raise RuntimeError(f"{template} is registered twice")


def templates(slot: Slot) -> list[str]:
    """Return the templates of a slot in their order."""
    return sorted(_REGISTERED[slot], key=lambda template: (_REGISTERED[slot][template], template))
