"""Slides in a random legal direction."""

import random
from typing import Any


class AIPlayer:
    def get_move(self, state: Any) -> int:
        direction: int = random.choice(state.legal)
        return direction
