class AIPlayer:
    def __init__(self, color):
        self.color = color  # "X" is black, "O" is white

    def get_move(self, board):
        moves = list(board.get_legal_actions(self.color))
        return moves[0]
