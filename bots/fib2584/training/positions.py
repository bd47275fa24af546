"""Number the boards of 2584 and tabulate every slide and drop, so that hundreds of games can advance in one step.

Boards are canonical. Before-states (the player is to move) and afterstates (a tile is about to drop) are numbered
separately, in the order of their codes. ``truth`` contains the exact values of the afterstates.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bots.fib2584.house.engine.board import DROPS
from bots.fib2584.house.engine.solver import CELLS, Numbers, canonical_codes, slide, solve

Indices = NDArray[np.int32]
ILLEGAL = -1e9  # the reward of a slide that changes nothing


@dataclass(frozen=True, slots=True)
class Positions:
    """The arrays of successors, indexed by position number.

    ``slid[d, b]``, ``rewards[d, b]``: the afterstate and reward of direction d on before-state b. ``empty[a]``: the
    number of cells into which a tile may drop; ``dropped[a, k, t]``: the before-state after tile t drops into the k-th
    of them. ``starts``: the before-states of a new game; ``start_chances``: their probabilities, which add up to 1.
    """

    codes: Indices
    slid: Indices
    rewards: NDArray[np.float32]
    empty: Indices
    dropped: Indices
    starts: Indices
    start_chances: Numbers
    truth: Numbers


def number_positions() -> Positions:
    """Assign a number to every position, which takes less than a second."""
    solution = solve()
    before, after = solution.before, solution.after
    slid, rewards = _number_slides(before, after)
    empty, dropped = _number_drops(before, after)
    starts, chances = _start_positions(before)
    return Positions(after, slid, rewards, empty, dropped, starts, chances, solution.after_values)


def _number_slides(before: Indices, after: Indices) -> tuple[Indices, NDArray[np.float32]]:
    slid = np.zeros((4, len(before)), np.int32)
    rewards = np.full((4, len(before)), ILLEGAL, np.float32)
    for direction in range(4):
        boards, reward = slide(before, direction)
        legal = boards != before
        slid[direction, legal] = np.searchsorted(after, canonical_codes(boards[legal]))
        rewards[direction, legal] = reward[legal]
    return slid, rewards


def _number_drops(before: Indices, after: Indices) -> tuple[Indices, Indices]:
    empty = np.zeros(len(after), np.int32)
    dropped = np.zeros((len(after), CELLS, len(DROPS)), np.int32)
    for shift in range(0, 4 * CELLS, 4):
        free = (after >> shift & 15) == 0
        for place, (tile, _) in enumerate(DROPS):
            dropped[free, empty[free], place] = np.searchsorted(before, canonical_codes(after[free] | tile << shift))
        empty[free] += 1
    return empty, dropped


def _start_positions(before: Indices) -> tuple[Indices, Numbers]:
    codes, chances = [], []
    for first, second in product(range(CELLS), repeat=2):
        for (one, chance), (other, other_chance) in product(DROPS, repeat=2):
            if first != second:
                codes.append(one << 4 * first | other << 4 * second)
                chances.append(chance * other_chance / (CELLS * (CELLS - 1)))
    starts = np.searchsorted(before, canonical_codes(np.array(codes, np.int32))).astype(np.int32)
    return starts, np.array(chances)
