"""Looks two of its own moves ahead and prefers boards with empty cells and with tiles that can merge.

It averages over all possible drops between its moves, and takes the best direction at each move (expectimax).
"""

from functools import cache
from typing import Any

from .engine.board import Tiles, boards_after_drop, canonical_board, legal_slides

# The value of an empty cell and of a pair of neighbours that can merge, in points.
EMPTY, PAIR = 12.0, 8.0
_NEIGHBOURS = ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))


class AIPlayer:
    def get_move(self, state: Any) -> int:
        return max(legal_slides(state.indices), key=lambda found: found[2] + expected_value(canonical_board(found[1])))[
            0
        ]


@cache
def expected_value(after: Tiles) -> float:
    """Return the expected value over all drops, assuming the best second move after each drop."""
    return sum(chance * best_value(before) for before, chance in boards_after_drop(after))


def best_value(before: Tiles) -> float:
    return max((reward + evaluate(after) for _, after, reward in legal_slides(before)), default=0.0)


def evaluate(after: Tiles) -> float:
    """Return a simple evaluation: a weighted sum of the numbers of empty cells and of adjacent tiles that can merge."""
    pairs = sum(
        after[one] == after[other] == 1 or (min(after[one], after[other]) > 0 and abs(after[one] - after[other]) == 1)
        for one, other in _NEIGHBOURS
    )
    return EMPTY * after.count(0) + PAIR * pairs
