"""What a game's view shows of all turns of a match that is too long to be sent as a whole: its chart, its totals.

Invariant: an overview is made from turns as a viewer sees them, so it holds nothing that they hide. Its JSON stays
small however long the match is: at most some ten thousand numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from arena.games.base import Json


class Overview(Protocol):
    """Gathers from turn after turn, turn 0 first; each is ``{"number", "moves", "view"}``."""

    def add(self, turn: Mapping[str, Json]) -> None: ...

    def to_json(self) -> Json: ...
