"""The chart of a long match: every golden number, and a sample of the players' numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.games.base import Json

_POINTS: Final = 8000  # numbers in the sample, more than a chart can resolve


class GoldenOverview:
    """All golden numbers, and all numbers of a fixed sample of seats, so that each of these seats can be followed."""

    def __init__(self) -> None:
        self._golden: list[float | None] = []
        self._seats: list[int] = []
        self._numbers: list[list[Json]] = []

    def add(self, turn: Mapping[str, Json]) -> None:
        view = turn["view"]
        if not self._golden:
            seats = len(view["scores"])
            step = max(1, -(-2 * seats * view["rounds"] // _POINTS))
            self._seats = list(range(0, seats, step))
        self._golden.append(None if view["golden"] is None else round(view["golden"], 4))
        self._numbers.append([_round_numbers(view["numbers"][seat]) for seat in self._seats])

    def to_json(self) -> Json:
        """Return the golden number and the numbers of the sampled ``seats`` for the start and each round."""
        return {"golden": self._golden, "seats": self._seats, "numbers": self._numbers}


def _round_numbers(numbers: Json) -> Json:
    return None if numbers is None else [round(number, 1) for number in numbers]
