"""2584 for a network: for each of the six cells which of the 13 tiles it holds; actions are directions."""

TILES = 13
SIZE = 6 * TILES


def observation(state, seat):
    """A 1 for the tile of each cell, the empty one included; 0 elsewhere."""
    seen = [0.0] * SIZE
    for cell, index in enumerate(state.indices):
        seen[cell * TILES + index] = 1.0
    return seen


def mask(state, seat):
    """Up, right, down, left: whether the direction changes something."""
    return [direction in state.legal for direction in range(4)]


def answer(action):
    """The number of a direction."""
    return action
