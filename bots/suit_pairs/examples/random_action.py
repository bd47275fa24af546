"""A random legal action."""

import random


def get_move(state):
    return random.choice(state.legal)
