"""Samplers choose legal actions, and play a fifth of their games against past models."""

from __future__ import annotations

from dataclasses import replace

import jax
import numpy as np
import pytest

from bots.training.selfplay.network import initial_weights
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.pool import to_half_precision
from bots.training.selfplay.sampler import Sampler
from bots.training.selfplay.sampling import BOTH, learner_seats
from tests.bots.training.selfplay.counting import ENVIRONMENT, PLAN

pytestmark = pytest.mark.long  # compiling takes most of the time


def test_every_decision_respects_its_mask() -> None:
    parameters = initial_weights(jax.random.key(0), 4, (16,), 3)
    sampler = Sampler(ENVIRONMENT, PLAN, 5)
    past = [to_half_precision(parameters)] * PLAN.opponents_at_once
    for time in range(20):
        played = sampler.play(time, parameters, past if time % 3 == 0 else None)
        legal = np.asarray(jax.vmap(jax.vmap(ENVIRONMENT.mask))(played.state))
        assert np.take_along_axis(legal, np.asarray(played.action)[:, :, None], axis=2).all()


@pytest.mark.parametrize(("games", "opponents"), [(20, 2), (64, 4), (128, 4), (8192, 8), (5, 4)])
def test_a_fifth_of_the_games_is_against_past_models(games: int, opponents: int) -> None:
    plan = Plan(games=games, minibatch=games * 128, opponents=opponents)
    seat = np.asarray(learner_seats(plan))
    assert (seat != BOTH).mean() == pytest.approx(0.2, abs=0.02)
    assert abs(int((seat == 0).sum()) - int((seat == 1).sum())) <= 1
    assert plan.pool_games % plan.opponents_at_once == 0


def test_past_models_decide_only_for_their_seat() -> None:
    """A past model that prefers action 2 decides only for its own seat; the newest model never chooses action 2."""
    greedy, modest = (initial_weights(jax.random.key(0), 4, (16,), 3) for _ in range(2))
    greedy["policy_b"] = greedy["policy_b"].at[2].add(50)
    modest["policy_b"] = modest["policy_b"].at[2].add(-50)
    played = Sampler(ENVIRONMENT, PLAN, 0).play(0, modest, [to_half_precision(greedy)] * PLAN.opponents_at_once)
    learns, action = np.asarray(played.learns), np.asarray(played.action)
    assert not (action[learns] == 2).any()
    assert (action[~learns] == 2).mean() > 0.5


def test_plan_rejects_minibatches_that_do_not_divide_evenly() -> None:
    with pytest.raises(ValueError, match="320 decisions cannot be divided into minibatches of 100"):
        replace(PLAN, minibatch=100)
