"""A bot that hangs as white: at its fourth move, it waits for a turn that never comes.

It sleeps instead of computing: on a busy machine, a computing bot might not use enough CPU time to exceed its limit.
"""

import time


class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = 0

    def get_move(self, board):
        time.sleep(0.1)
        self.moves += 1
        while self.color == "O" and self.moves > 3:
            time.sleep(0.1)
        return min(board.get_legal_actions(self.color))
