"""Predict the value of a deep search from a shallow one (Buro, ProbCut, ICCA Journal 18 (1995), 71-76).

Searches of the same position to different depths return similar values, and the spread of their differences has been
measured. If the shallow value is so far outside the window that the deep one almost certainly is as well, the deep
search is skipped.
"""

from __future__ import annotations

from typing import Final

from .pattern_weights import SPREADS

PARTS: Final = (24, 36, 64)  # parts of a match, each up to this number of discs
# For each requested depth, the shallow depth that is searched instead; both are even or both are odd.
PAIRS: Final = {3: 1, 4: 2, 5: 1, 6: 2, 7: 3, 8: 4}
_DEEPER: Final = {9: 5, 10: 6, 11: 5, 12: 6}  # too deep to be measured: assumed to deviate no more than depths 7 and 8
CONFIDENCE: Final = 1.4  # in standard deviations: one cut in twelve is wrong

Margins = dict[int, tuple[int, int]]  # keyed by depth: the shallow depth, and the margin outside the window


def _margins(spreads: dict[int, int]) -> Margins:
    found = {depth: (shallow, round(CONFIDENCE * spreads[depth])) for depth, shallow in PAIRS.items()}
    last = round(CONFIDENCE * max(spreads[depth] for depth in (7, 8)))
    return found | {depth: (shallow, last) for depth, shallow in _DEEPER.items()}


_MARGINS: Final = tuple(_margins(spreads) for spreads in SPREADS)
# Indexed by the number of discs.
MARGINS: Final[tuple[Margins, ...]] = tuple(
    next(margins for most, margins in zip(PARTS, _MARGINS, strict=True) if discs <= most) for discs in range(65)
)
