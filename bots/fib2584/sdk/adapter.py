"""Bots of 2584 get a fresh ``State`` each turn and answer a direction, as a number or by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.fib2584.sdk.state import State
from bots.sdk import answers

TILES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)


class Fib2584Adapter:
    """``get_move(state)`` answers 0 to 3, or "up", "right", "down", "left"."""

    parameter: str | None = None
    always_passes_seat = False
    function: str | None = None

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._seat: int = load["seat"]
        self._own: Mapping[str, Any] = {}
        self._shared: Mapping[str, Any] = {}

    @property
    def seat_argument(self) -> int:
        return self._seat

    def begin(self, own: Mapping[str, Any]) -> None:
        self._own = own

    def prepare(self, player: Any) -> None:
        return

    def observe(self, own: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        self._own, self._shared = own, shared

    def state(self) -> State:
        indices: list[int] = self._own["indices"]
        return State(
            board=[TILES[index] for index in indices],
            indices=list(indices),
            legal=list(self._own["legal"]),
            score=self._own["score"],
            game=self._shared["game"],
            games=self._shared["games"],
            turn=self._shared["turn"],
        )

    def answer(self, value: Any) -> Any:
        return answers.plain(value)
