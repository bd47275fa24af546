"""Takes the move that flips the most discs. Such greed often leaves it without good moves at the end."""

import random
from typing import Any


class AIPlayer:
    def __init__(self, color: str) -> None:
        self.color = color

    def get_move(self, board: Any) -> str:
        flips: dict[str, int] = {}
        for action in board.get_legal_actions(self.color):
            flips[action] = len(board._can_fliped(action, self.color))
        most = max(flips.values())
        return random.choice([action for action, count in flips.items() if count == most])
