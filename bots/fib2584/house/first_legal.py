"""Slides in the first legal direction of up, right, down, left."""

from typing import Any


class AIPlayer:
    def get_move(self, state: Any) -> int:
        direction: int = state.legal[0]
        return direction
