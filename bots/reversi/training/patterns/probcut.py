"""Measure the difference between shallow and deep search values, the basis for ``engine.probcut``."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from bots.reversi.house.engine.probcut import PAIRS, PARTS
from bots.reversi.training.patterns.compiled import COUNT, INFINITE, search_value

_POSITIONS: Final = 100  # maximum number of positions per part of the game
_SEED: Final = 7


@njit(cache=True)
def _values_by_depth(positions, deepest, weights):
    """Return the value of each position at every depth from 0 to ``deepest``."""
    found = np.empty(COUNT, dtype=np.int32)
    values = np.empty((len(positions), deepest + 1), dtype=np.float64)
    for at in range(len(positions)):
        for depth in range(deepest + 1):
            values[at, depth] = search_value(
                positions[at, 0], positions[at, 1], depth, -INFINITE, INFINITE, weights, found
            )
    return values


def measure_spreads(positions: Any, weights: Any) -> list[dict[int, int]]:
    """Return the spread of the difference between deep and shallow values, in hundredths of a disc.

    The result has one dictionary per part of the game (``PARTS``), keyed by the greater depth.

    ``positions``: a sample of positions from recorded games, uint64; ``weights``: int16, one row per stage, with a
    weight for every pattern index.
    """
    chance = np.random.default_rng(_SEED)
    discs = np.bitwise_count(positions[:, 0] | positions[:, 1])
    found = []
    least = 12
    for most in PARTS:
        chosen = positions[(discs >= least) & (discs <= min(most, 50))]
        drawn = chosen[chance.choice(len(chosen), min(_POSITIONS, len(chosen)), replace=False)]
        values = _values_by_depth(drawn, max(PAIRS), weights)
        found.append({deep: round(_spread(values[:, deep] - values[:, shallow])) for deep, shallow in PAIRS.items()})
        least = most + 1
    return found


def _spread(differences: Any) -> float:
    """Return the spread of the differences around 0.

    This is half the distance from the 16th to the 84th percentile, plus the absolute value of the median. For a normal
    distribution around 0, it equals one standard deviation. Outliers are ignored.
    """
    low, high = np.quantile(differences, (0.16, 0.84))
    return float(high - low) / 2 + abs(float(np.median(differences)))
