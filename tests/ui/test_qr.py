from __future__ import annotations

import re

from arena.ui.qr import qr_svg

LINK = "https://arena.example/classes/join/ABCD-2345/"


def test_qr_code_is_scalable_and_allowed_by_the_csp() -> None:
    svg = qr_svg(LINK)
    assert svg.startswith("<svg ")
    assert 'aria-hidden="true"' in svg
    assert "style=" not in svg
    assert "<script" not in svg
    assert "viewBox" in svg
    assert not re.search(r"<svg[^>]* (width|height)=", svg)


def test_different_links_give_different_qr_codes() -> None:
    assert qr_svg(LINK) == qr_svg(LINK) != qr_svg(LINK.replace("2345", "2346"))


def test_link_text_is_escaped() -> None:
    assert "<b>" not in qr_svg("https://arena.example/<b>")
