"""Parse the query parameters of analysis pages; invalid values are ignored, so that old links work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from arena.games.golden_point.analysis.room_windows import SIZES, WindowRequest

_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class QueryParams:
    """The parsed query parameters.

    ``player``: an index; ``round``: a number; ``disrupted``: whether to show only rounds with disruptors.
    """

    player: int | None
    round: int | None
    disrupted: bool


def query_params(query: Mapping[str, str]) -> QueryParams:
    return QueryParams(
        _parse_integer(query.get("player")), _parse_integer(query.get("round")), query.get("disrupted") == "1"
    )


def window_request(query: Mapping[str, str]) -> WindowRequest:
    """Return the request for a range of a room's rounds."""
    rounds = _parse_integer(query.get("last"))
    return WindowRequest(
        rounds if rounds in SIZES else SIZES[-1], _parse_uuid(query.get("before")), _parse_uuid(query.get("after"))
    )


def _parse_integer(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None


def _parse_uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
