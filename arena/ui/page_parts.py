"""Registry of parts that apps add to every page, so that the base template does not need to know about them.

An app registers a template in ``AppConfig.ready``. It is rendered with the context of the page, to which context
processors add the data that the part shows.
"""

from __future__ import annotations

from enum import StrEnum


class Slot(StrEnum):
    """A place in the base template to which apps can add parts."""

    NAVIGATION = "navigation"  # links in the main navigation
    TOOLS = "tools"  # buttons at the end of the header
    END = "end"  # after the content: footer, bars and dialogs


_REGISTERED: dict[Slot, dict[str, int]] = {slot: {} for slot in Slot}


def register_part(slot: Slot, template: str, *, order: int) -> None:
    """Register a template; templates with a lower ``order`` come first."""
    if _REGISTERED[slot].setdefault(template, order) != order:
        raise RuntimeError(f"{template} is registered twice")


def templates(slot: Slot) -> list[str]:
    """Return the templates registered for a slot, in order."""
    return sorted(_REGISTERED[slot], key=lambda template: (_REGISTERED[slot][template], template))
