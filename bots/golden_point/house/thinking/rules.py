"""The rules that people and bots follow, as predictions of their next number.

There are two kinds: rules about golden numbers, which are the same for every opponent, and rules about an opponent's
own numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

RATIO = 0.618
HIGH = (50.0, 99.0, 99.9)  # high numbers that players add to raise the golden number


@dataclass(frozen=True, slots=True)
class PublicHistory:
    """The public data before a round.

    ``golden``: the golden numbers so far, oldest first, at least one; ``total``: the sum of all numbers in the last
    round; ``count``: how many numbers were played in it.
    """

    golden: Sequence[float]
    total: float
    count: int


@dataclass(frozen=True, slots=True)
class NumberHistory:
    """One opponent's first or second numbers, oldest first, at least one.

    ``sum``: the sum of all the opponent's numbers in the last round.
    """

    numbers: Sequence[float]
    sum: float


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _next_by_ratio(table: PublicHistory) -> float:
    golden = table.golden
    return golden[-1] * golden[-1] / golden[-2] if len(golden) > 1 else golden[-1]


def _next_by_difference(table: PublicHistory) -> float:
    golden = table.golden
    return 2 * golden[-1] - golden[-2] if len(golden) > 1 else golden[-1]


def _linear_trend(length: int) -> Callable[[PublicHistory], float]:
    """Return a rule that extends the least-squares line through the last ``length`` golden numbers by one round."""

    def next_on_line(table: PublicHistory) -> float:
        values = table.golden[-length:]
        middle = (len(values) - 1) / 2
        spread = sum((place - middle) ** 2 for place in range(len(values)))
        rise = sum((place - middle) * value for place, value in enumerate(values))
        return _mean(values) + (rise / spread * (len(values) - middle) if spread else 0.0)

    return next_on_line


def _mean_of_golden(length: int, factor: float = 1.0) -> Callable[[PublicHistory], float]:
    return lambda table: factor * _mean(table.golden[-length:])


def _raised_mean(high: float, length: int) -> Callable[[PublicHistory], float]:
    """Return a rule that predicts the mean of the last ``length`` golden numbers plus the effect of ``high``."""
    return lambda table: _mean(table.golden[-length:]) + high * RATIO / table.count


GOLDEN_RULES: tuple[Callable[[PublicHistory], float], ...] = (
    _mean_of_golden(1),
    _mean_of_golden(1, RATIO),
    _mean_of_golden(1, RATIO * RATIO),
    _mean_of_golden(3),
    _mean_of_golden(5),
    _mean_of_golden(5, RATIO),
    _mean_of_golden(10),
    _mean_of_golden(10, RATIO),
    _next_by_ratio,
    _next_by_difference,
    _linear_trend(5),
    _linear_trend(10),
    *(_raised_mean(high, length) for high in HIGH for length in (1, 5)),
)


def _same_number(own: NumberHistory, table: PublicHistory) -> float:
    return own.numbers[-1]


def _number_before_last(own: NumberHistory, table: PublicHistory) -> float:
    return own.numbers[-2] if len(own.numbers) > 1 else own.numbers[-1]


def _mean_of_own(own: NumberHistory, table: PublicHistory) -> float:
    return _mean(own.numbers[-10:])


def _same_ratio(own: NumberHistory, table: PublicHistory) -> float:
    """Predict the opponent's last number times the ratio of the last golden number to the one before it."""
    return own.numbers[-1] * table.golden[-1] / table.golden[-2] if len(table.golden) > 1 else own.numbers[-1]


def _golden_with_high_number(high: float) -> Callable[[NumberHistory, PublicHistory], float]:
    """Return a rule that predicts the golden number if the opponent plays ``high`` and nobody else changes numbers."""

    def predict(own: NumberHistory, table: PublicHistory) -> float:
        return RATIO * (table.total - own.sum + high) / (table.count - RATIO)

    return predict


OWN_RULES: tuple[Callable[[NumberHistory, PublicHistory], float], ...] = (
    _same_number,
    _number_before_last,
    _mean_of_own,
    _same_ratio,
    *(_golden_with_high_number(high) for high in HIGH),
)
