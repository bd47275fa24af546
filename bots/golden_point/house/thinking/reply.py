"""Compute the best reply to what the others may play.

The others' numbers are given as many equally likely tables. A number wins at a table if it is nearer to the golden
number than all others, that is, if it lies in an interval around the golden number. The number that lies in the most
intervals wins most often; a second number wins most of the remaining tables. Alternatively, the second number is far
away, to move the golden number away from the others. The option with the greater gain over all tables is played.
"""

from collections.abc import Sequence
from itertools import pairwise

from .scoring import RATIO, OthersNumbers, gain

LIFTS = (99.9, 70.0, 40.0)
_MIN_NUMBER, _MAX_NUMBER = 0.001, 99.999

Stretch = tuple[float, float]


def best_reply(tables: Sequence[OthersNumbers], count: int) -> list[float]:
    """Return the ``count`` numbers (1 or 2) with the highest mean gain over these tables of the others' numbers."""
    plans = [most_winning_numbers(tables, (), count)]
    if count == 2:
        plans += [[*most_winning_numbers(tables, (lift,), 1), lift] for lift in LIFTS]
    return max(plans, key=lambda plan: sum(gain(plan, others) for others in tables))


def most_winning_numbers(tables: Sequence[OthersNumbers], fixed: Sequence[float], count: int) -> list[float]:
    """Return the ``count`` numbers that win at the most tables.

    ``fixed``: numbers that the player is assumed to play as well.
    """
    stretches = [winning_interval(others, fixed, count) for others in tables]
    numbers: list[float] = []
    for _ in range(count):
        if stretches:
            numbers.append(most_covered_point(stretches))
            stretches = [(low, high) for low, high in stretches if not low <= numbers[-1] <= high]
        else:
            numbers.append(numbers[-1])
    return numbers


def winning_interval(others: OthersNumbers, fixed: Sequence[float], count: int) -> Stretch:
    """Return the interval in which a number wins if ``count`` numbers are played close to the golden number.

    The effect of these numbers on the golden number is included.
    """
    played = len(others.numbers) + len(fixed) + count
    golden = RATIO * (others.total + sum(fixed)) / (played - RATIO * count)
    reach = min([others.distance_to_nearest(golden), *(abs(number - golden) for number in fixed)])
    return max(golden - reach, _MIN_NUMBER), min(golden + reach, _MAX_NUMBER)


def most_covered_point(stretches: Sequence[Stretch]) -> float:
    """Return the middle of the range that is covered by the most ``stretches``."""
    # intervals are closed: at the same point, an end sorts after a beginning
    ends = sorted([(low, 0) for low, _ in stretches] + [(high, 1) for _, high in stretches])
    most, covered, middle = 0, 0, ends[0][0]
    for (place, is_end), (following, _) in pairwise(ends):
        covered += -1 if is_end else 1
        if covered > most:
            most, middle = covered, (place + following) / 2
    return middle
