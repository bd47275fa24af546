"""The house bots' scoring of a round agrees with the rules."""

from __future__ import annotations

import random

import pytest

from arena.games.golden_point.rules import score_round
from bots.golden_point.house.thinking.scoring import OthersNumbers, gain


def test_gains_agree_with_the_rules() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        numbers = rng.choice((1, 2))
        # Few distinct values, because ties in distance are where implementations are most likely to differ.
        played = [
            tuple(rng.choice((5.0, 10.0, 20.0, 61.8, 99.0)) for _ in range(numbers)) for _ in range(rng.randint(1, 6))
        ]
        own, *others = played
        assert gain(own, OthersNumbers.collect(others)) == score_round(played).gains[0]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_nearest_and_farthest_of_other_players(count: int) -> None:
    rng = random.Random(count)
    for _ in range(200):
        numbers = [rng.uniform(0, 100) for _ in range(count)]
        golden = rng.uniform(0, 62)
        distances = [abs(number - golden) for number in numbers]
        others = OthersNumbers.collect([numbers])
        assert others.distance_to_nearest(golden) == min(distances)
        assert others.distance_to_farthest(golden) == max(distances)
