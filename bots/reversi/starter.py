"""A starter bot for Reversi. Change it, upload it and watch it play.

The arena creates one AIPlayer for each match and calls get_move for each of its turns. What you print
goes to a log that only you can read.
"""

# Discs in corners can never be flipped; playing beside an empty corner gives it away.
CORNERS = {"A1", "A8", "H1", "H8"}
BESIDE_CORNERS = {"B1", "A2", "B2", "G1", "H2", "G2", "A7", "B8", "B7", "H7", "G8", "G7"}


class AIPlayer:
    def __init__(self, color):
        # "X" is black and moves first, "O" is white.
        self.color = color

    def get_move(self, board):
        """Return the square to play on, such as "D3". You are only asked when you have a legal move."""
        moves = list(board.get_legal_actions(self.color))
        best = max(moves, key=lambda move: self.value_of(board, move))
        print("legal:", moves, "played:", best)
        return best

    def value_of(self, board, move):
        """Rate a move: the more discs it flips, the better, but corners come first."""
        value = len(self.turned_over(board, move))
        if move in CORNERS:
            value += 100
        if move in BESIDE_CORNERS:
            value -= 50
        return value

    def turned_over(self, board, move):
        """Return the squares whose discs a move flips. The move is played, then undone."""
        flipped = board._move(move, self.color)
        board.backpropagation(move, flipped, self.color)
        return flipped
