"""Looks two of its own moves ahead, over every drop in between, and prefers empty cells and tiles that can merge.

It averages over all possible drops and takes the best direction at each of its moves (expectimax).
"""

from functools import cache
from typing import Any

from .engine.board import Tiles, canonical, dropped, slides

# The value of an empty cell and of a pair of neighbours that can merge, in points.
EMPTY, PAIR = 12.0, 8.0
_NEIGHBOURS = ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))


class AIPlayer:
    def get_move(self, state: Any) -> int:
        return max(slides(state.indices), key=lambda found: found[2] + expected(canonical(found[1])))[0]


@cache
def expected(after: Tiles) -> float:
    """Return the expected value over all drops, with the best second move after each."""
    return sum(chance * best(before) for before, chance in dropped(after))


def best(before: Tiles) -> float:
    return max((reward + promise(after) for _, after, reward in slides(before)), default=0.0)


def promise(after: Tiles) -> float:
    """Return a simple evaluation: empty cells, and adjacent tiles that are neighbours in the sequence."""
    pairs = sum(
        after[one] == after[other] == 1 or (min(after[one], after[other]) > 0 and abs(after[one] - after[other]) == 1)
        for one, other in _NEIGHBOURS
    )
    return EMPTY * after.count(0) + PAIR * pairs
