"""Compute the best replies of one player in a round, with everybody else's numbers fixed.

Let the others' ``m`` numbers add up to ``S``, and let the player play ``c`` as all ``k`` of their own numbers. Then the
golden number is ``G(c) = a + b c`` with ``a = r S / (m + k)``, ``b = r k / (m + k)`` and ``r = 0.618``: it follows
``c``, but more slowly (``b < 1/2``, because ``m >= 1`` and ``k <= 2``). So there is exactly one ``c* = a / (1 - b)``
that *is* the golden number it produces. The distance of ``c*`` is 0, so it is nearest; it could only be farthest if all
distances were 0, and then no number counts as farthest. It lies between 0 and 100. No gain exceeds N. Therefore:

**The best attainable gain of a round is N, the number of players, or 0 if nobody else played.**

This also holds exactly in double precision: rounding is monotonic, so ``c -> G(c)`` is a monotonic map on a finite set,
and iterating it from any number ends at a number with ``G(c) == c`` to the last bit (``exact_reply``).

The other numbers that would have won are found in the same way. The distance ``|c - G(c)|`` grows on both sides of
``c*`` at the rate ``1 - b``, while the distance of any other number ``o`` changes at the rate ``b < 1 - b``. To the
right of ``c*`` the two are equal at exactly one place: ``c = o`` if ``o >= c*``, otherwise ``c = (2a - o) / (1 - 2b)``;
the left is the mirror image. So the winning replies form an interval around ``c*``, whose bounds depend only on the two
neighbours of ``c*``. The farthest replies lie outside a wider interval, whose bounds depend only on the smallest and
the largest of the others' numbers.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.golden_point.evaluation.golden_match import GoldenRound
from arena.games.golden_point.rules import MAX_NUMBER, MIN_NUMBER, RATIO, Numbers


@dataclass(frozen=True, slots=True)
class BestReplies:
    """The possible replies ``c``, in ranges by gain; the player plays ``c`` for each of their numbers.

    From ``low`` to ``high``, a reply is nearest, and ``best`` is the golden number itself. Up to ``too_low`` and from
    ``too_high`` on, a reply is farthest, unless it is nearest. Bounds are exact up to rounding and lie between 0 and
    100.
    """

    best: float
    low: float
    high: float
    too_low: float
    too_high: float


def best_gain(each: GoldenRound, player: int) -> int:
    """Return the gain of the player's best reply; 0 if the player was absent."""
    return each.player_count if each.numbers[player] is not None and each.player_count > 1 else 0


def best_replies(each: GoldenRound, player: int) -> BestReplies | None:
    """Return the player's best replies in hindsight; None if the player was absent or alone."""
    own = each.numbers[player]
    if own is None or each.player_count < 2:
        return None
    return best_replies_among(sorted_numbers(each), math.fsum(x for named in each.numbers if named for x in named), own)


def sorted_numbers(each: GoldenRound) -> list[float]:
    """Return all numbers of a round in ascending order."""
    return sorted(x for own in each.numbers if own is not None for x in own)


def fixed_point_number(count: int, total: float, own: Numbers) -> float:
    """Return ``c*``, the number that would equal the golden number if the player played it instead of ``own``.

    ``count`` and ``total``: the count and the sum of all numbers played in the round.
    """
    level, slope = _line_coefficients(count, total, own)
    return level / (1 - slope)


def _line_coefficients(count: int, total: float, own: Numbers) -> tuple[float, float]:
    """Return ``a`` and ``b``: the golden number is ``a + b c`` if the player who played ``own`` plays ``c`` instead."""
    return RATIO * (total - sum(own)) / count, RATIO * len(own) / count


def best_replies_among(everybody: Sequence[float], total: float, own: Numbers) -> BestReplies:
    """Return the best replies of a player who played ``own``.

    ``everybody``: the sorted numbers of all players, including ``own``; ``total``: their sum.
    """
    count = len(everybody)
    level, slope = _line_coefficients(count, total, own)
    best = level / (1 - slope)
    below = _nearest_other_number(everybody, bisect_right(everybody, best) - 1, -1, own)
    above = _nearest_other_number(everybody, bisect_left(everybody, best), 1, own)
    least, most = _nearest_other_number(everybody, 0, 1, own), _nearest_other_number(everybody, count - 1, -1, own)

    def mirror(other: float | None) -> float | None:
        return None if other is None else (2 * level - other) / (1 - 2 * slope)

    # If ``least`` or ``most`` is on the wrong side of ``best``, it has no effect: the number and its mirror image swap
    # sides.
    return BestReplies(
        best,
        low=max(_without_none(below, mirror(above), MIN_NUMBER)),
        high=min(_without_none(above, mirror(below), MAX_NUMBER)),
        too_low=max(min(_without_none(least, mirror(most))), MIN_NUMBER),
        too_high=min(max(_without_none(most, mirror(least))), MAX_NUMBER),
    )


def _without_none(*values: float | None) -> list[float]:
    return [value for value in values if value is not None]


def _nearest_other_number(everybody: Sequence[float], at: int, step: int, own: Numbers) -> float | None:
    """Search from index ``at`` in steps of ``step`` for a number of another player; return the first one, or None."""
    mine = list(own)
    while 0 <= at < len(everybody):
        if everybody[at] not in mine:
            return everybody[at]
        mine.remove(everybody[at])
        at += step
    return None


def exact_reply(others: Sequence[float], numbers: int) -> float:
    """Return the float that exactly equals the golden number if the player submits it ``numbers`` times.

    ``others``: the numbers of the other players.
    """
    count = len(others) + numbers
    total = math.fsum(others)
    number = RATIO * total / (count - RATIO * numbers)
    while True:
        golden = RATIO * (math.fsum((*others, *[number] * numbers)) / count)
        if golden == number:
            return number
        number = golden
