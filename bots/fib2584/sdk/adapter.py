"""Adapter for 2584: bots get a new ``State`` each turn and answer with a direction, as a number or by name."""

from __future__ import annotations

from typing import Any

from bots.fib2584.sdk.state import State
from bots.sdk import answers
from bots.sdk.adapter import WholeStateAdapter

TILES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)


class Fib2584Adapter(WholeStateAdapter):
    """The adapter for ``get_move(state)``, which returns a number from 0 to 3, or "up", "right", "down" or "left"."""

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
        return answers.to_json_values(value)
