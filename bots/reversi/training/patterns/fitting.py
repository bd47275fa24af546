"""Fit the pattern weights by least squares, so that the weights of a position add up to its label.

This is gradient descent in which each weight moves by the mean error of the positions that contain it, or by less if
only a few positions do (Buro 1997). Rare weights remain near 0, a better guess than a fit to a few positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from bots.reversi.training.patterns.compiled import COUNT, STARTS, WEIGHT_OF, WEIGHTS, fill_pattern_indices

_RARE = 60.0  # a weight used in fewer positions learns more slowly
_STEP = 2.0 / COUNT


@njit(cache=True)
def weight_indices(positions):
    """Return, for each position, the indices of the weights to be summed."""
    found = np.empty(COUNT, dtype=np.int32)
    used = np.empty((len(positions), COUNT), dtype=np.int32)
    for at in range(len(positions)):
        fill_pattern_indices(positions[at, 0], positions[at, 1], found)
        for pattern in range(COUNT):
            used[at, pattern] = WEIGHT_OF[STARTS[pattern] + found[pattern]]
    return used


@njit(cache=True, fastmath=True)
def _gradient_descent(used, labels, weights, rounds, step, rare):
    """Update the weights; return the mean squared error before the last round."""
    seen = np.zeros(len(weights), dtype=np.float32)
    for at in range(len(used)):
        for pattern in range(COUNT):
            seen[used[at, pattern]] += 1
    rate = step / np.maximum(seen, np.float32(rare))
    speed = np.zeros(len(weights), dtype=np.float32)
    square = 0.0
    for _ in range(rounds):
        push = np.zeros(len(weights), dtype=np.float32)
        square = 0.0
        for at in range(len(used)):
            guess = np.float32(0)
            for pattern in range(COUNT):
                guess += weights[used[at, pattern]]
            wrong = labels[at] - guess
            square += wrong * wrong
            for pattern in range(COUNT):
                push[used[at, pattern]] += wrong
        speed = np.float32(0.8) * speed + np.float32(0.2) * push
        weights += speed * rate * np.float32(2.5)
    return square / len(used)


def fit_stage(positions: Any, labels: Any, before: Any, rounds: int) -> tuple[Any, float]:
    """Fit one stage's weights (float32), starting from ``before``; also return the RMS error in discs."""
    weights = before.astype(np.float32).copy()
    assert len(weights) == WEIGHTS  # noqa: S101
    error = _gradient_descent(
        weight_indices(positions), labels.astype(np.float32), weights, rounds, np.float32(_STEP), _RARE
    )
    return weights, float(np.sqrt(error)) / 100
