"""A bot whose first move is a candle that does not exist."""


def get_move(state):
    return 10
