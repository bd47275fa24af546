"""Slides in the direction with the highest immediate reward."""

from typing import Any

from .engine.board import slides


class AIPlayer:
    def get_move(self, state: Any) -> int:
        direction, _, _ = max(slides(state.indices), key=lambda found: found[2])
        return direction
