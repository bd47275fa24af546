"""Every template compiles, including those that pages rarely show."""

from __future__ import annotations

from django.template import engines

from tests.running_site import ROOT


def test_every_template_compiles() -> None:
    found = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "arena").rglob("templates/**/*.html")]
    assert len(found) > 100
    for path in found:
        engines["django"].from_string(path.read_text())  # type: ignore[attr-defined]
