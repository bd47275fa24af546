"""Random playouts by OpenSpiel (Apache 2.0), a library of games in C++ with a Python interface."""

from __future__ import annotations

import random

import pyspiel

_GAME = pyspiel.load_game("othello")


def play_random_match(chance: random.Random) -> None:
    state = _GAME.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))


def checked_perft(depth: int, expected: int) -> None:
    """Count the leaf nodes at ``depth`` (perft). Raises RuntimeError if the count is not ``expected``."""
    found = _perft(_GAME.new_initial_state(), depth)
    if found != expected:
        raise RuntimeError(f"{found} lines of {depth} moves, not {expected}")


def _perft(state: pyspiel.State, depth: int) -> int:
    if state.is_terminal():
        return 1
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(_perft(state.child(action), depth - 1) for action in actions)
