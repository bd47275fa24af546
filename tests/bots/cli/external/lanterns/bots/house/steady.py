"""Lights one lantern every night while oil is left."""


def get_move(oil):
    return min(oil, 1)
