"""The eight actions of the learners, taken from the Q-learning bot of the original golden-number game.

Each action computes a pair from the golden numbers so far, oldest first; if a match asks for one number, only the first
is used. Seven play the same number twice; the last one plays 50 and aims its other number at the resulting golden
number.
"""

from collections.abc import Callable, Sequence

RATIO = 0.618
FIRST = 28.0  # played before any golden number is known
HIGH = 50.0
_MIN_NUMBER, _MAX_NUMBER = 0.001, 99.999

# Takes the golden numbers so far, and how many numbers all seats together play in a round.
Action = Callable[[Sequence[float], int], tuple[float, float]]


def last_golden(golden: Sequence[float], numbers: int) -> tuple[float, float]:
    return (golden[-1], golden[-1]) if golden else (FIRST, FIRST)


def mean_of_five(golden: Sequence[float], numbers: int) -> tuple[float, float]:
    return _mean(golden, 5)


def mean_of_ten(golden: Sequence[float], numbers: int) -> tuple[float, float]:
    return _mean(golden, 10)


def next_by_ratio(golden: Sequence[float], numbers: int) -> tuple[float, float]:
    """Predict the next golden number, assuming that it changes by the same factor again; return it as both numbers."""
    if len(golden) < 2:
        return last_golden(golden, numbers)
    number = golden[-1] * golden[-1] / golden[-2]
    number = number if number < 100 else 100 * RATIO
    return number, number


def disrupt_with_50(golden: Sequence[float], numbers: int) -> tuple[float, float]:
    if not golden:
        return FIRST, FIRST
    return HIGH, _mean(golden, 5)[0] + HIGH * RATIO / numbers


def play_below(action: Action) -> Action:
    """Return an action that plays 0.618 times what another action plays."""

    def play_lower(golden: Sequence[float], numbers: int) -> tuple[float, float]:
        if not golden:
            return FIRST, FIRST
        first, second = action(golden, numbers)
        return RATIO * first, RATIO * second

    return play_lower


ACTIONS: tuple[Action, ...] = (
    last_golden,
    play_below(last_golden),
    mean_of_five,
    play_below(mean_of_five),
    mean_of_ten,
    play_below(mean_of_ten),
    next_by_ratio,
    disrupt_with_50,
)


def clip_to_rules(number: float) -> float:
    """Return the nearest number that the rules allow."""
    return min(max(number, _MIN_NUMBER), _MAX_NUMBER)


def _mean(golden: Sequence[float], length: int) -> tuple[float, float]:
    recent = golden[-length:] or [FIRST]
    mean = sum(recent) / len(recent)
    return mean, mean
