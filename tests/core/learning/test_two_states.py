"""The two-state environment: rewards and transitions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from arena.core.learning.two_states import BEST_MEAN, RULES, STAYING_MEAN, Action, State, simulate, step

A, B, ONE, TWO = State.A, State.B, Action.ONE, Action.TWO


@pytest.mark.parametrize(
    ("state", "action", "reward", "to_a"),
    [(A, ONE, 10, 1.0), (A, TWO, -10, 0.2), (B, ONE, 40, 0.8), (B, TWO, 20, 0.8)],
)
def test_rewards_and_transitions(state: State, action: Action, reward: int, to_a: float) -> None:
    rng = random.Random(1)
    moves = [step(state, action, rng) for _ in range(2000)]
    assert {move.reward for move in moves} == {reward}
    assert sum(move.after is A for move in moves) / len(moves) == pytest.approx(to_a, abs=0.03)
    assert {(move.state, move.action) for move in moves} == {(state, action)}


def test_episode_starts_in_a_and_continues_from_the_state_reached() -> None:
    moves = simulate([TWO, ONE] * 10, seed=3)
    assert moves[0].state is A
    assert all(before.after is after.state for before, after in pairwise(moves))


def test_earlier_moves_do_not_depend_on_later_actions() -> None:
    assert simulate([ONE, TWO, ONE, ONE], seed=5)[:3] == simulate([ONE, TWO, ONE], seed=5)


def test_mean_rewards_of_policies() -> None:
    """Choosing 2 in A and 1 in B leads back and forth with equal probabilities, so both states are equally frequent."""
    there, back = RULES[A, TWO], RULES[B, ONE]
    assert there.likely == back.likely
    assert (there.reward + back.reward) / 2 == BEST_MEAN
    assert RULES[A, ONE].reward == STAYING_MEAN
