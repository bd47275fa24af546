TILES = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233}
# Cells are numbered 0 1 2 over 3 4 5. Each direction has its lines, which begin at the edge that tiles slide to.
LINES = {
    0: [(0, 3), (1, 4), (2, 5)],
    1: [(2, 1, 0), (5, 4, 3)],
    2: [(3, 0), (4, 1), (5, 2)],
    3: [(0, 1, 2), (3, 4, 5)],
}
NEIGHBORS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]


def get_move(state):
    values = {direction: value_after(*slide(state.board, direction)) for direction in state.legal}
    best = max(values, key=values.get)
    print("board", state.board, "values", values, "played", best)
    return best


def slide(board, direction):
    """Return the board after the slide, and the reward."""
    after, reward = [0] * 6, 0
    for cells in LINES[direction]:
        line, can_merge = [], False
        for tile in (board[cell] for cell in cells if board[cell]):
            if can_merge and line[-1] + tile in TILES:
                line[-1] += tile
                reward += line[-1]
                can_merge = False
            else:
                line.append(tile)
                can_merge = True
        for place, tile in enumerate(line):
            after[cells[place]] = tile
    return after, reward


def value_after(board, reward):
    """Return the value of the best next slide, averaged over all drops."""
    empty = [cell for cell in range(6) if board[cell] == 0]
    mean = 0
    for cell in empty:
        for tile, chance in ((1, 0.9), (2, 0.1)):
            board[cell] = tile
            mean += chance / len(empty) * best_value(board)
        board[cell] = 0
    return reward + mean


def best_value(board):
    """Return the value of the best slide; 0 if the game is over."""
    slides = [slide(board, direction) for direction in LINES]
    return max((value_of(after, reward) for after, reward in slides if after != board), default=0)


def value_of(board, reward):
    """Return the reward plus bonuses for possible merges, for empty cells, and for the largest tile in a corner."""
    pairs = sum(board[one] + board[other] in TILES for one, other in NEIGHBORS if board[one] and board[other])
    corners = [board[cell] for cell in (0, 2, 3, 5)]
    return reward + 20 * pairs + 30 * board.count(0) + 60 * (max(board) in corners)
