"""Overview of a long match: where each deal begins."""

from __future__ import annotations

from collections.abc import Mapping

from arena.games.base import Json


class DealOverview:
    """Collects the first turn of every deal."""

    def __init__(self) -> None:
        self._begin: list[int] = []

    def add(self, turn: Mapping[str, Json]) -> None:
        if turn["view"]["deal"] > len(self._begin):
            self._begin.append(turn["number"])

    def to_json(self) -> Json:
        """Return ``deals``: the number of the first turn of each deal."""
        return {"deals": self._begin}
