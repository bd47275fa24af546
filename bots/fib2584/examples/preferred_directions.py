"""A fixed order of directions, and another one for a crowded board."""

ROOMY = ("left", "up", "down", "right")
CROWDED = ("up", "down", "left", "right")  # up and down join the rows
NAMES = ("up", "right", "down", "left")


def get_move(state):
    order = ROOMY if state.board.count(0) > 1 else CROWDED
    legal = {NAMES[direction] for direction in state.legal}
    return next(name for name in order if name in legal)
