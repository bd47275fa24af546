"""Opponents' numbers are predicted from the rules that they follow."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bots.golden_point.house.thinking.opponent import Opponent
from bots.golden_point.house.thinking.rules import GOLDEN_RULES, PublicHistory

Strategy = Callable[[list[float]], float]


def observe_opponent(strategy: Strategy, rounds: int) -> tuple[Opponent, list[float]]:
    """Let a model observe an opponent that follows ``strategy``; return the model and the random golden numbers."""
    rng = random.Random(2)
    golden = [20.0]
    opponent = Opponent(1)
    for _ in range(rounds):
        number = strategy(golden)
        golden.append(golden[-1] * rng.uniform(0.8, 1.2))
        opponent.observe([number])
        table = PublicHistory(golden, total=golden[-1] * 8 / 0.618, count=8)
        opponent.expect([rule(table) for rule in GOLDEN_RULES], table, [number])
    return opponent, golden


@pytest.mark.parametrize(
    "strategy",
    [
        lambda golden: golden[-1],
        lambda golden: golden[-1] * 0.618,
        lambda golden: golden[-1] * 0.9,  # not a listed rule, but a constant ratio
        lambda golden: sum(golden[-10:]) / len(golden[-10:]),
        lambda golden: 12.5,
    ],
)
def test_opponent_following_one_rule_is_predicted_exactly(strategy: Strategy) -> None:
    opponent, golden = observe_opponent(strategy, 60)
    rng = random.Random(1)
    for _ in range(20):
        assert opponent.sample_numbers(rng) == pytest.approx([strategy(golden)], rel=1e-3)


def test_opponent_alternating_rules_is_predicted_as_a_mixture() -> None:
    rng = random.Random(5)
    opponent, golden = observe_opponent(lambda golden: rng.choice((golden[-1], 15.0)), 60)
    drawn = [opponent.sample_numbers(rng)[0] for _ in range(200)]
    assert 40 < sum(number == pytest.approx(golden[-1], rel=1e-3) for number in drawn) < 160
    assert 40 < sum(number == pytest.approx(15.0, rel=1e-3) for number in drawn) < 160


def test_random_opponent_is_predicted_with_a_wide_spread() -> None:
    rng = random.Random(6)
    opponent, _ = observe_opponent(lambda golden: rng.uniform(0, 100), 80)
    drawn = sorted(opponent.sample_numbers(rng)[0] for _ in range(400))
    assert all(0 < number < 100 for number in drawn)
    assert drawn[40] < 30
    assert drawn[-40] > 70
