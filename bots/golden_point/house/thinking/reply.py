"""The best answer to what the others may play.

Given many tables of others' numbers, each equally likely, a number wins at a table if it lies in the stretch around
the golden number in which nobody else is nearer. The number that lies in the most stretches wins most often; a second
one goes where it wins most of the tables that are left. Or it is thrown far away, which moves the golden number to
where the others are not: whatever gains more over all tables is played.
"""

from collections.abc import Sequence
from itertools import pairwise

from .scoring import RATIO, Others, gain

LIFTS = (99.9, 70.0, 40.0)
_LEAST, _MOST = 0.001, 99.999

Stretch = tuple[float, float]


def best_reply(tables: Sequence[Others], count: int) -> list[float]:
    """``count`` numbers, 1 or 2, that gain the most over the tables on average."""
    plans = [covering(tables, (), count)]
    if count == 2:
        plans += [[*covering(tables, (lift,), 1), lift] for lift in LIFTS]
    return max(plans, key=lambda plan: sum(gain(plan, others) for others in tables))


def covering(tables: Sequence[Others], fixed: Sequence[float], count: int) -> list[float]:
    """``count`` numbers that win at as many tables as they can, where the own ones of ``fixed`` are played as well."""
    stretches = [winning_stretch(others, fixed, count) for others in tables]
    numbers: list[float] = []
    for _ in range(count):
        if stretches:
            numbers.append(most_covered(stretches))
            stretches = [(low, high) for low, high in stretches if not low <= numbers[-1] <= high]
        else:
            numbers.append(numbers[-1])
    return numbers


def winning_stretch(others: Others, fixed: Sequence[float], count: int) -> Stretch:
    """Where a number wins if ``count`` are played close to the golden number, which they move as well."""
    played = len(others.numbers) + len(fixed) + count
    golden = RATIO * (others.total + sum(fixed)) / (played - RATIO * count)
    reach = min([others.nearest(golden), *(abs(number - golden) for number in fixed)])
    return max(golden - reach, _LEAST), min(golden + reach, _MOST)


def most_covered(stretches: Sequence[Stretch]) -> float:
    """The middle of the part that lies in the most stretches."""
    # an end sorts behind a beginning at the same place: stretches hold their ends
    ends = sorted([(low, 0) for low, _ in stretches] + [(high, 1) for _, high in stretches])
    most, covered, middle = 0, 0, ends[0][0]
    for (place, is_end), (following, _) in pairwise(ends):
        covered += -1 if is_end else 1
        if covered > most:
            most, middle = covered, (place + following) / 2
    return middle
