"""Overview of a match that is too long to be sent as a whole: its chart and totals.

Invariant: an overview is computed from turns as a viewer sees them, so it reveals nothing hidden. Its JSON is small for
any length of match: at most about ten thousand numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from arena.games.base import Json


class Overview(Protocol):
    """Collects the turns one by one, turn 0 first; each is ``{"number", "moves", "view"}``."""

    def add(self, turn: Mapping[str, Json]) -> None: ...

    def to_json(self) -> Json: ...
