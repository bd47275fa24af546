"""A random legal direction."""

import random


def get_move(state):
    return random.choice(state.legal)
