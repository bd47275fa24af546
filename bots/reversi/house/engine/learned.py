"""The learned evaluation: the sum of the weights of a position's patterns.

The weights were fitted to the continuations of a hundred thousand self-play games of the engine
(``bots.reversi.training.patterns``), separately for each stage of a match. Lines, edges and corners also reveal much
about mobility, stable discs and parity, so the weights capture these too.

Values are hundredths of a disc for the side to move. Unlike those of ``evaluation``, they include the value of having
the move, so the two sides' estimates of one position do not cancel out.
"""

from __future__ import annotations

import zlib
from array import array
from functools import cache
from operator import getitem, itemgetter

from .evaluation import Evaluation, final_value
from .pattern_weights import WEIGHTS
from .patterns import PATTERNS, SHAPES, STAGE_DISCS, STAGES, STEP, pattern_indices, weight_indices

Stage = tuple[list[int], ...]  # for each of PATTERNS, the value of each pattern index


@cache
def _stage_weights() -> tuple[Stage, ...]:
    """Return the weights for each number of discs, from 0 to 64; this takes a tenth of a second."""
    kept = array("b", zlib.decompress(WEIGHTS.read_bytes()))
    places = [weight_indices(shape) for shape in SHAPES]
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


def learned_evaluation() -> Evaluation:
    """Return the learned evaluation as a function; all functions returned share the same tables."""
    stages = _stage_weights()

    def estimate(own: int, other: int) -> int:
        discs = (own | other).bit_count()
        if discs == 64 or not own or not other:
            return final_value(own, other)
        return sum(map(getitem, stages[discs], pattern_indices(own, other)))

    return estimate
