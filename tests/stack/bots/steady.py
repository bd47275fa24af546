"""A deterministic bot that never fails: takes corners, and otherwise leaves the opponent few moves."""

import time

CORNERS = {"A1", "A8", "H1", "H8"}
BESIDE_CORNERS = {"B1", "A2", "B2", "G1", "H2", "G2", "A7", "B8", "B7", "H7", "G8", "G7"}


class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.other = "O" if color == "X" else "X"

    def get_move(self, board):
        time.sleep(0.1)  # slow enough for people to watch its check
        moves = list(board.get_legal_actions(self.color))
        best = max(sorted(moves), key=lambda move: self.value_of(board, move))
        print("steady plays", best)
        return best

    def value_of(self, board, move):
        flipped = board._move(move, self.color)
        answers = list(board.get_legal_actions(self.other))
        board.backpropagation(move, flipped, self.color)
        gives_corner = 100 * len(CORNERS.intersection(answers))
        return 200 * (move in CORNERS) - gives_corner - 20 * (move in BESIDE_CORNERS) - len(answers)
