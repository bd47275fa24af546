"""What a position is worth by what was learned from games: the sum of what its patterns are worth.

The weights are those with which the sums come closest to how a hundred thousand games of the engine with itself
went on (``bots.reversi.training.patterns``), in each stage of the game others. They know of mobility, stable discs and
parity only what can be seen in lines, edges and corners; that is a lot.

Values are hundredths of a disc for the side to move. Unlike in ``evaluation`` they contain what it is worth to be
the one to move, so the two sides' estimates of one position do not cancel out.
"""

from __future__ import annotations

import zlib
from array import array
from functools import cache
from operator import getitem, itemgetter

from .evaluation import Evaluation, finished
from .pattern_weights import WEIGHTS
from .patterns import PATTERNS, SHAPES, STAGE_DISCS, STAGES, STEP, numbers, shared

Stage = tuple[list[int], ...]  # for each of PATTERNS what each number is worth


@cache
def _stages() -> tuple[Stage, ...]:
    """For each number of discs, from 0 to 64; takes a tenth of a second."""
    kept = array("b", zlib.decompress(WEIGHTS.read_bytes()))
    places = [shared(shape) for shape in SHAPES]
    counts = [max(one) + 1 for one in places]
    pick = [itemgetter(*one) for one in places]
    stages = []
    first = 0
    for _ in range(STAGES):
        shapes = []
        for count, chosen in zip(counts, pick, strict=True):
            shapes.append(list(chosen([STEP * one for one in kept[first : first + count]])))
            first += count
        stages.append(tuple(shapes[shape] for shape, _ in PATTERNS))
    return tuple(stages[discs // STAGE_DISCS] for discs in range(65))


def learned() -> Evaluation:
    """The estimate; all of its kind share their tables."""
    stages = _stages()

    def estimate(own: int, other: int) -> int:
        discs = (own | other).bit_count()
        if discs == 64 or not own or not other:
            return finished(own, other)
        return sum(map(getitem, stages[discs], numbers(own, other)))

    return estimate
