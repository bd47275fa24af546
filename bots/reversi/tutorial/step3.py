CORNERS = {"A1", "A8", "H1", "H8"}
BESIDE_CORNERS = {"B1", "A2", "B2", "G1", "H2", "G2", "A7", "B8", "B7", "H7", "G8", "G7"}


class AIPlayer:
    def __init__(self, color):
        self.color = color  # "X" is black, "O" is white

    def get_move(self, board):
        moves = list(board.get_legal_actions(self.color))
        best = max(moves, key=self.value_of)
        print("legal:", moves, "played:", best)
        return best

    def value_of(self, move):
        if move in CORNERS:
            return 100
        if move in BESIDE_CORNERS:
            return -50
        return 0
