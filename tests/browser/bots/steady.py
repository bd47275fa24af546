"""A bot that takes corners, and avoids the squares next to corners if possible."""

CORNERS = {"A1", "A8", "H1", "H8"}
BESIDE_CORNERS = {"B1", "A2", "B2", "G1", "H2", "G2", "A7", "B8", "B7", "H7", "G8", "G7"}


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        return max(board.get_legal_actions(self.color), key=lambda move: (move in CORNERS, move not in BESIDE_CORNERS))
