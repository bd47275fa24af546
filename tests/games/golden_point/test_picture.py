"""The picture of a golden-point match marks numbers above its scale and draws every player in a colour of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from arena.games.drawing import HUES
from arena.games.golden_point.picture import picture

TOKENS = Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css"


def _round(golden: float, *numbers: list[float] | None) -> dict[str, Any]:
    return {"golden": golden, "numbers": list(numbers)}


def test_numbers_above_the_scale_are_arrows_and_no_dots() -> None:
    low = picture([_round(20.0, [10.0, 39.0], [12.0, 40.0])])
    high = picture([_round(20.0, [10.0, 39.0], [12.0, 99.0])])

    assert _count_dots(low) == 4
    assert _count_dots(high) == 3
    assert "z" not in _paths(low)
    assert _paths(high).count("z") == 1


def test_every_player_has_the_colour_of_the_seat_and_a_second_dozen_is_hollow() -> None:
    drawn = picture([_round(20.0, *([10.0 + seat] for seat in range(14)), None)])
    paths = re.findall(r"<path [^>]*>", drawn)

    assert [re.findall(r'stroke="(#\w+)"', path)[0] for path in paths] == [*HUES, *HUES[:2]]
    assert [_count_dots(path) for path in paths] == [1] * 12 + [0] * 2
    assert all('fill="none"' in path for path in paths[12:])


def test_colours_are_those_of_the_dark_theme() -> None:
    dark = TOKENS.read_text().rpartition("--hue-0:")[2]

    assert re.findall(r"#[0-9a-f]{6}", dark)[: len(HUES)] == list(HUES)


def _paths(svg: str) -> str:
    return " ".join(re.findall(r' d="([^"]*)"', svg))


def _count_dots(svg: str) -> int:
    return _paths(svg).count("h0")
