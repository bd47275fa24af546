"""Encode the golden point for a network: the input describes recent rounds; the output is the player's numbers."""

import math

ROUNDS = 8  # number of golden numbers in the input, latest first
SIZE = 3 * ROUNDS + 5


def observation(state, seat):
    """Return the golden number of each recent round, its logarithm, and whether the round was played.

    These are followed by numbers that describe the match so far.
    """
    seen = []
    for golden in [*reversed(state.golden[-ROUNDS:]), *[None] * ROUNDS][:ROUNDS]:
        seen += [0.0, 0.0, 0.0] if golden is None else [golden / 100, _logarithm(golden), 1.0]
    last = [x for own in (state.history[-1] if state.history else []) if own is not None for x in own]
    seen += [min(last) / 100, max(last) / 100] if last else [0.0, 0.0]
    played = max(1, len(state.golden))
    seen += [state.round / max(1, state.rounds), 1 / state.players, state.score / (state.players * played)]
    return [min(1.0, max(-1.0, value)) for value in seen]


def mask(state, seat):
    """Return an empty mask, because no action is masked."""
    return []


def answer(action):
    """Return an action as a list of one or two numbers, each strictly between 0 and 100."""
    return [float(number) for number in action]


def _logarithm(golden):
    return math.log10(max(golden, 1e-10) / 100) / 10
