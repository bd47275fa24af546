"""Encode 2584 for a network: one-hot tiles of the six cells; actions are directions."""

TILES = 13
SIZE = 6 * TILES


def observation(state, seat):
    """Return the one-hot encoding of each cell's tile; an empty cell counts as a kind of tile."""
    seen = [0.0] * SIZE
    for cell, index in enumerate(state.indices):
        seen[cell * TILES + index] = 1.0
    return seen


def mask(state, seat):
    """Return whether a slide changes the board, for each direction: up, right, down, left."""
    return [direction in state.legal for direction in range(4)]


def answer(action):
    """Return the direction as a number, which equals the action."""
    return action
