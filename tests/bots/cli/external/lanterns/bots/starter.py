from wicks import WICKS


def get_move(oil):
    return min(oil, 2 * WICKS)
