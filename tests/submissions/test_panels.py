from __future__ import annotations

import pytest

from arena.submissions.panels import Panel, Panels


def recent(subject: int) -> list[int]:
    return [subject] if subject > 1 else []


def test_panels_are_asked_in_their_order_and_left_out_when_empty() -> None:
    panels: Panels[int] = Panels()
    panels.register("matches.html", recent)
    panels.register("rating.html", str)
    assert panels.of(7) == [Panel("matches.html", [7]), Panel("rating.html", "7")]
    assert panels.of(1) == [Panel("rating.html", "1")]


def test_a_template_has_one_query() -> None:
    panels: Panels[int] = Panels()
    panels.register("matches.html", recent)
    panels.register("matches.html", recent)  # an app that is set up twice changes nothing
    with pytest.raises(RuntimeError, match=r"matches\.html is registered twice"):
        panels.register("matches.html", str)
