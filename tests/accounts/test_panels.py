from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from arena.accounts.panels import Panel, Panels
from arena.accounts.permissions import Person

NOBODY = AnonymousUser()


def recent(subject: int, reader: Person) -> list[int]:
    """Return a panel's result, which is empty for subject 1."""
    return [subject] if subject > 1 else []


def rating(subject: int, reader: Person) -> str:
    return f"{subject} for {reader.username or 'anybody'}"


def test_panels_keep_their_order_and_empty_ones_are_omitted() -> None:
    panels: Panels[int] = Panels()
    panels.register("matches.html", recent)
    panels.register("rating.html", rating)
    assert panels.panels_for(7, NOBODY) == [Panel("matches.html", [7]), Panel("rating.html", "7 for anybody")]
    assert panels.panels_for(1, NOBODY) == [Panel("rating.html", "1 for anybody")]


def test_template_cannot_be_registered_with_two_queries() -> None:
    panels: Panels[int] = Panels()
    panels.register("matches.html", recent)
    # registering the same panel twice, as a repeated app setup does, changes nothing
    panels.register("matches.html", recent)
    with pytest.raises(RuntimeError, match=r"matches\.html is registered twice"):
        panels.register("matches.html", rating)
