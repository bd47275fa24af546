"""A random legal move.

The constructor gets the colour; a bot that does not need it can be a function.
"""

import random


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))
