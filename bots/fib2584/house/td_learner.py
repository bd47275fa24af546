"""Plays by the values that it learned with TD(0) in 400,000 games, starting from optimistic initial values.

After each move it adjusted the value of the previous board slightly towards the reward plus the value of the next
board. Every value began at 400 points, more than a beginner scores, which made the bot explore unknown boards. The
page about learning 2584 shows how close its values are to the exact values.
"""

from typing import Any

from .engine.board import canonical_code, legal_slides
from .engine.learned import learned_values


class AIPlayer:
    def __init__(self) -> None:
        self.values = learned_values()

    def get_move(self, state: Any) -> int:
        return max(legal_slides(state.indices), key=lambda found: found[2] + self.values[canonical_code(found[1])])[0]
