"""Slides in the direction with the highest immediate reward."""

from typing import Any

from .engine.board import legal_slides


class AIPlayer:
    def get_move(self, state: Any) -> int:
        direction, _, _ = max(legal_slides(state.indices), key=lambda found: found[2])
        return direction
