"""Encode Reversi positions for a network: three planes of squares as the observation, and one action per square."""

SQUARES = [column + row for row in "12345678" for column in "ABCDEFGH"]
SIZE = 3 * len(SQUARES)


def observation(board, color):
    """Return three planes of 64 squares (A1, B1, …, H8): ``color``'s discs, the opponent's discs, and legal moves."""
    cells = [board[row][column] for row in range(8) for column in range(8)]
    own = [float(cell == color) for cell in cells]
    other = [float(cell not in (color, ".")) for cell in cells]
    return own + other + [float(legal) for legal in mask(board, color)]


def mask(board, color):
    """Return, for each of the 64 squares, whether a move there is legal."""
    legal = set(board.get_legal_actions(color))
    return [square in legal for square in SQUARES]


def answer(action):
    """Return the name of the square that an action chooses, such as "D3"."""
    return SQUARES[action]
