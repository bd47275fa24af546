"""A bot that crashes as white: its opening book ends after three moves."""

import time

WHITE_BOOK = ["in the book", "in the book", "in the book"]


class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = 0

    def get_move(self, board):
        time.sleep(0.1)
        self.moves += 1
        if self.color == "O":
            print("fragile looks up move", self.moves)
            print(WHITE_BOOK[self.moves - 1])
        return min(board.get_legal_actions(self.color))
