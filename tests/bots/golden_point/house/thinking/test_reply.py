"""The best reply wins against known numbers, and in the most cases against estimated ones."""

from __future__ import annotations

import random

from bots.golden_point.house.thinking.reply import (
    best_reply,
    most_covered_point,
    most_winning_numbers,
    winning_interval,
)
from bots.golden_point.house.thinking.scoring import OthersNumbers, gain


def test_midpoint_of_the_winning_interval_wins() -> None:
    rng = random.Random(1)
    for _ in range(300):
        others = OthersNumbers.collect([[rng.uniform(0, 60) for _ in range(2)] for _ in range(7)])
        low, high = winning_interval(others, (), 1)
        assert gain([(low + high) / 2], others) >= 8 - 2


def test_most_covered_point_is_chosen() -> None:
    assert most_covered_point([(0, 10), (2, 4), (3, 20)]) == 3.5
    assert most_covered_point([(5, 5)]) == 5
    assert most_covered_point([(1, 2), (2, 3)]) == 2, "stretches hold their ends"


def test_second_number_covers_cases_the_first_does_not_win() -> None:
    low, high = (OthersNumbers.collect([[number, number + 2.0] for _ in range(7)]) for number in (5.0, 50.0))
    numbers = most_winning_numbers([low, low, high], (), 2)
    stretches = [winning_interval(others, (), 2) for others in (low, high)]
    assert [begin <= number <= end for number, (begin, end) in zip(numbers, stretches, strict=True)] == [True, True]


def test_no_grid_pair_beats_the_reply_to_known_numbers() -> None:
    rng = random.Random(3)
    grid = [number / 2 for number in range(1, 200, 3)]
    for _ in range(5):
        others = OthersNumbers.collect([[rng.uniform(1, 40) for _ in range(2)] for _ in range(7)])
        best = max(gain([first, second], others) for first in grid for second in grid)
        assert gain(best_reply([others], 2), others) >= best
