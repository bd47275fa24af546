"""Alpha-beta search with iterative deepening and a time limit."""

import time

SECONDS = 1  # for each move
CORNERS = ((0, 0), (0, 7), (7, 0), (7, 7))
OPPONENT = {"X": "O", "O": "X"}


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        self.deadline = time.monotonic() + SECONDS
        moves = list(board.get_legal_actions(self.color))
        empty = board.count(".")
        for depth in range(1, empty + 1):
            try:
                values = {move: self.value_after(board, move, self.color, depth, -1000, 1000) for move in moves}
            except TimeoutError:
                break
            moves.sort(key=values.get, reverse=True)  # the best move first, also at the next depth
        print("depth", depth, "best", moves[0])
        return moves[0]

    def value_after(self, board, move, color, depth, alpha, beta):
        if time.monotonic() > self.deadline:
            raise TimeoutError
        flipped = board._move(move, color)
        try:
            return -self.value_of(board, OPPONENT[color], depth - 1, -beta, -alpha)
        finally:
            board.backpropagation(move, flipped, color)  # the board must be intact even when the time is up

    def value_of(self, board, color, depth, alpha, beta):
        """Return the value of the position for the side to move."""
        moves = list(board.get_legal_actions(color))
        if depth <= 0 or not moves:
            return self.estimate(board, color, len(moves))
        for move in moves:
            alpha = max(alpha, self.value_after(board, move, color, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def estimate(self, board, color, mobility):
        signs = {color: 1, OPPONENT[color]: -1, ".": 0}
        corners = sum(signs[board[row][column]] for row, column in CORNERS)
        replies = len(list(board.get_legal_actions(OPPONENT[color])))
        if not mobility and not replies:  # the match is over
            return 10 * (board.count(color) - board.count(OPPONENT[color]))
        return 25 * corners + mobility - replies
