"""Looks four moves ahead, prefers corners, and avoids the squares next to empty corners.

Near the end it counts discs instead and looks further ahead.
"""

from typing import Any

DISC = 10_000  # the value of a disc at the end: more than any earlier estimate
DEPTH = 4
SOLVE_EMPTIES = 8  # with this many empty squares or fewer, it searches to the end

# The value of a square for its owner; the board is symmetric, so one quadrant is enough.
QUARTER = [
    [100, -20, 10, 5],
    [-20, -40, -2, -2],
    [10, -2, 3, 1],
    [5, -2, 1, 1],
]
VALUES = [[QUARTER[min(row, 7 - row)][min(column, 7 - column)] for column in range(8)] for row in range(8)]
OTHER = {"X": "O", "O": "X"}


class AIPlayer:
    def __init__(self, color: str) -> None:
        self.color = color

    def get_move(self, board: Any) -> str:
        empties = board.count(board.empty)
        depth = empties if empties <= SOLVE_EMPTIES else DEPTH
        return search(board, self.color, depth, -65 * DISC, 65 * DISC)[1]


def search(board: Any, color: str, depth: int, alpha: float, beta: float, passed: bool = False) -> tuple[float, str]:
    """Return the value of the position for the side to move, and its best move, by alpha-beta search."""
    if depth == 0:
        return (evaluate(board, color) if board.count(board.empty) else final_value(board, color)), ""
    actions = sorted(board.get_legal_actions(color), key=square_value, reverse=True)
    if not actions:
        if passed:
            return final_value(board, color), ""
        return -search(board, OTHER[color], depth, -beta, -alpha, passed=True)[0], ""
    best = actions[0]
    for action in actions:
        flipped = board._move(action, color)
        value = -search(board, OTHER[color], depth - 1, -beta, -alpha)[0]
        board.backpropagation(action, flipped, color)
        if value > alpha:
            alpha, best = value, action
        if alpha >= beta:
            break
    return alpha, best


def final_value(board: Any, color: str) -> float:
    """Return the value of a final position for ``color``."""
    return float(DISC * (board.count(color) - board.count(OTHER[color])))


def evaluate(board: Any, color: str) -> float:
    """Return the total value of the squares that ``color`` occupies, minus that of the opponent's squares.

    Squares next to an occupied corner no longer count against a side.
    """
    total = 0.0
    for row in range(8):
        for column in range(8):
            owner = board[row][column]
            if owner != board.empty:
                value = VALUES[row][column]
                if value <= -20 and is_nearest_corner_taken(board, row, column):
                    value = 5
                total += value if owner == color else -value
    return total


def is_nearest_corner_taken(board: Any, row: int, column: int) -> bool:
    corner_row, corner_column = 7 * (row > 3), 7 * (column > 3)
    return bool(board[corner_row][corner_column] != board.empty)


def square_value(action: str) -> int:
    row, column = "12345678".index(action[1]), "ABCDEFGH".index(action[0])
    return VALUES[row][column]
