"""Learning house bots update values as documented; the calm disruptor waits until the golden number is stable."""

from __future__ import annotations

import random

import pytest

from bots.golden_point.house import calm_disruptor, full_information, q_learning
from bots.golden_point.house.thinking.actions import ACTIONS, FIRST, HIGH
from bots.golden_point.sdk.golden_state import GoldenState

LAST, LIFT = 0, 7


def state(golden: list[float], score: int = 0, others: float = 30.0, players: int = 4, numbers: int = 2) -> GoldenState:
    """Return a state in which the bot, in seat 0, always played 1, and the others always played ``others``."""
    history: list[list[tuple[float, ...] | None]] = [
        [(1.0,) * numbers, *[(others,) * numbers for _ in range(players - 1)]] for _ in golden
    ]
    return GoldenState(players, numbers, len(golden) + 1, 400, golden, history, 0, score)


def test_ups_and_downs_are_counted_over_the_last_ten() -> None:
    assert q_learning.count_rises_and_falls([]) == q_learning.count_rises_and_falls([20.0]) == (0, 0)
    assert q_learning.count_rises_and_falls([1.0, 2.0, 2.0, 1.0]) == (1, 1)
    assert q_learning.count_rises_and_falls([float(number) for number in range(30)]) == (9, 0)


def test_q_learning_updates_a_value_by_its_learning_rate() -> None:
    player = q_learning.AIPlayer()
    player.values[1, 1][LAST] = 50.0
    player.learn((0, 0), LAST, 8.0, (1, 1))
    assert player.values[0, 0][LAST] == pytest.approx(0.01 * (8 + 0.9 * 50))


def test_q_learning_reward_is_the_points_of_the_round() -> None:
    random.seed(1)
    player = q_learning.AIPlayer()
    player.get_move(state([], score=10))
    assert player.last is not None
    (_, action, _), before = player.last, dict(player.values)
    player.get_move(state([20.0], score=14))
    assert player.values[0, 0][action] == pytest.approx(0.01 * 4)
    assert len(before) == 1


def test_q_learning_is_epsilon_greedy() -> None:
    random.seed(2)
    player = q_learning.AIPlayer()
    player.values[0, 0][3] = 1.0
    taken = [player.choose((0, 0)) for _ in range(1000)]
    assert 880 <= taken.count(3) <= 940
    assert set(taken) == set(range(8))


def test_eight_actions_are_as_documented() -> None:
    golden = [40.0, *[10.0] * 5, *[20.0] * 4, 30.0]
    assert [action([], 16) for action in ACTIONS] == [(FIRST, FIRST)] * 8
    five, ten = (20 * 4 + 30) / 5, (10 * 5 + 20 * 4 + 30) / 10
    firsts = [action(golden, 16)[0] for action in ACTIONS]
    assert firsts == pytest.approx([30, 0.618 * 30, five, 0.618 * five, ten, 0.618 * ten, 45, HIGH])
    assert ACTIONS[LIFT](golden, 16)[1] == pytest.approx(five + 50 * 0.618 / 16)


def test_full_information_learns_from_actions_not_played() -> None:
    """Rules not played are learned too: a number below the others' 30 wins 4 points, and an additional 50 loses 2."""
    player = full_information.AIPlayer()
    player.get_move(state([18.0] * 30))
    learned = 1 - full_information.DECAY**29  # before the first round, nothing is known and all rules play the same
    first = full_information.DECAY**29 * (1 - full_information.DECAY) * 4
    assert player.values[LAST] == pytest.approx(4 * learned + first)
    assert player.values[LIFT] == pytest.approx((4 - 2) * learned + first)


def test_full_information_catches_up_and_counts_each_round_once() -> None:
    after_four = state([18.0, 17.0, 19.0, 18.0])
    at_once, by_and_by = full_information.AIPlayer(), full_information.AIPlayer()
    for rounds in range(5):
        by_and_by.get_move(state([18.0, 17.0, 19.0, 18.0][:rounds]))
    assert at_once.get_move(after_four) == by_and_by.get_move(after_four)
    assert at_once.values == by_and_by.values


def test_calm_disruptor_waits_for_stable_golden_numbers() -> None:
    assert max(calm_disruptor.get_move(state([20.0] * 4))) < 99
    assert max(calm_disruptor.get_move(state([20.0, 20.0, 30.0, 20.0, 20.0]))) < 99
    low, high = calm_disruptor.get_move(state([20.0] * 5))
    assert high == 99
    assert low == pytest.approx(20 + 99 * 0.618 / 8)


def test_calm_disruptor_with_one_number_disrupts_and_then_waits() -> None:
    assert calm_disruptor.get_move(state([20.0] * 5, numbers=1)) == [99.0]
    assert calm_disruptor.get_move(state([20.0] * 5 + [36.0], numbers=1)) == [36.0]
