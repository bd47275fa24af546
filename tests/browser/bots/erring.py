"""A bot that passes its check despite an illegal answer, and crashes when it plays white in a match."""


class AIPlayer:
    def __init__(self, color):
        self.color, self.moves = color, 0

    def get_move(self, board):
        self.moves += 1
        print("move", self.moves)
        if self.moves == 3:
            return "A line that is not a square of any board, and far too long for a telephone, too"
        if self.moves == 8 and self.color == "O":
            print("about to open the book")
            return self.book["f5d6c3d3c4f4f6b4c2f3e3e6d2c5, a line that is far too long for a telephone"]
        return next(board.get_legal_actions(self.color))
