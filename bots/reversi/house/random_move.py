"""Plays a random legal move. A bot that loses to it has a bug."""

import random
from typing import Any


class AIPlayer:
    def __init__(self, color: str) -> None:
        self.color = color

    def get_move(self, board: Any) -> str:
        actions: list[str] = list(board.get_legal_actions(self.color))
        return random.choice(actions)
