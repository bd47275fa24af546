"""Lights a lantern every night."""


def get_move(oil):
    return min(oil, 1)
