"""The picture of a golden-point match marks numbers above its scale and draws every player in a colour of its own."""

from __future__ import annotations

import re
from typing import Any

from arena.games.golden_point.picture import picture


def _round(golden: float, *numbers: list[float] | None) -> dict[str, Any]:
    return {"golden": golden, "numbers": list(numbers)}


def test_numbers_above_the_scale_are_arrows_and_no_dots() -> None:
    low = picture([_round(20.0, [10.0, 39.0], [12.0, 40.0])])
    high = picture([_round(20.0, [10.0, 39.0], [12.0, 99.0])])

    assert _count_dots(low) == 4
    assert _count_dots(high) == 3
    assert "z" not in _paths(low)
    assert _paths(high).count("z") == 1


def _paths(svg: str) -> str:
    return " ".join(re.findall(r' d="([^"]*)"', svg))


def _count_dots(svg: str) -> int:
    return _paths(svg).count("h0")
