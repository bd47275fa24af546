"""Plays the shortest possible Reversi match with either colour: black's fifth move takes the last white disc."""

LINES = {"X": ["E6", "E3", "G5", "E7", "C5"], "O": ["F4", "F6", "D6", "F5"]}


class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = iter(LINES[color])

    def get_move(self, board):
        legal = sorted(board.get_legal_actions(self.color))
        move = next(self.moves, None)
        return move if move in legal else legal[0]  # the opponent in the upload check plays other moves
