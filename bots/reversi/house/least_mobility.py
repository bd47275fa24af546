"""Leaves the opponent as few moves as possible. A side without good moves has to give up a corner."""

import random
from typing import Any


class AIPlayer:
    def __init__(self, color: str) -> None:
        self.color = color
        self.opponent = "O" if color == "X" else "X"

    def get_move(self, board: Any) -> str:
        replies: dict[str, int] = {}
        for action in list(board.get_legal_actions(self.color)):
            flipped = board._move(action, self.color)
            replies[action] = len(list(board.get_legal_actions(self.opponent)))
            board.backpropagation(action, flipped, self.color)
        fewest = min(replies.values())
        return random.choice([action for action, count in replies.items() if count == fewest])
