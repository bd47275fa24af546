CORNERS = {"A1", "A8", "H1", "H8"}


class AIPlayer:
    def __init__(self, color):
        self.color = color  # "X" is black, "O" is white

    def get_move(self, board):
        moves = list(board.get_legal_actions(self.color))
        for move in moves:
            if move in CORNERS:
                return move
        return moves[0]
