"""What a page about a game was asked for in its address; what makes no sense is ignored, so that old links work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from arena.games.golden_point.analysis.room_windows import SIZES, WindowWish

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Asked:
    """``player`` by place, ``round`` by number; ``disturbed``: only rounds in which somebody disturbs."""

    player: int | None
    round: int | None
    disturbed: bool


def asked_in(query: Mapping[str, str]) -> Asked:
    return Asked(_whole(query.get("player")), _whole(query.get("round")), query.get("disturbed") == "1")


def window_wish(query: Mapping[str, str]) -> WindowWish:
    """Which rounds of a room."""
    rounds = _whole(query.get("last"))
    return WindowWish(rounds if rounds in SIZES else SIZES[-1], _uuid(query.get("before")), _uuid(query.get("after")))


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
