"""Rewards and advantages equal those that a plain loop over the decisions computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest

from bots.training.selfplay.network import initial_weights
from bots.training.selfplay.pool import to_half_precision
from bots.training.selfplay.returns import GaeParameters, compute_advantages
from bots.training.selfplay.sampler import Sampler
from tests.bots.training.selfplay.counting import DECISIONS, ENVIRONMENT, PLAN

pytestmark = pytest.mark.long  # compiling takes most of the time

CREDIT = GaeParameters(scale=0.1, discount=0.9, trace=0.8)


@pytest.fixture(scope="module")
def trajectory() -> Any:
    parameters = initial_weights(jax.random.key(3), 4, (16,), 3)
    sampler = Sampler(ENVIRONMENT, PLAN, 0)
    # so that the second call does not start at the beginning of all games
    sampler.play(1, parameters, [to_half_precision(parameters)] * PLAN.opponents_at_once)
    return jax.device_get(sampler.play(2, parameters, None))


def advantages_by_loop(trajectory: Any, game: int, credit: GaeParameters) -> list[tuple[float, float]]:
    """Return the advantage and weight of each decision in one game, computed directly from the definition."""
    found = []
    for time in range(PLAN.length):
        advantage = weight = 0.0
        factor = 1.0
        for now, following in steps(trajectory, game, time):
            if following is None:
                break
            reward = credit.scale * (following["lead"] - now["lead"])
            advantage += factor * (reward + credit.discount * following["value"] - now["value"])
            factor *= credit.discount * credit.trace
            weight = float(trajectory.learns[time, game])
        found.append((advantage * weight, weight))
    return found


def steps(trajectory: Any, game: int, time: int) -> Any:
    """Yield the decision at ``time`` and all later ones by that player, each with the next one (None if unknown)."""
    mine = trajectory.player[time, game]
    while time is not None:
        following, after = next_decision(trajectory, game, time, mine)
        yield player_values(trajectory, game, time, mine), after
        time = following


def next_decision(trajectory: Any, game: int, time: int, mine: int) -> tuple[int | None, Mapping[str, float] | None]:
    sign = 1 if mine == 0 else -1
    for later in range(time, PLAN.length):
        if trajectory.ended[later, game]:
            return None, {"lead": sign * trajectory.lead_after[later, game], "value": 0.0}
        if later + 1 < PLAN.length and trajectory.player[later + 1, game] == mine:
            return later + 1, player_values(trajectory, game, later + 1, mine)
    if trajectory.last_player[game] == mine:
        return None, {"lead": sign * trajectory.last_lead[game], "value": trajectory.last_value[game]}
    return None, None


def player_values(trajectory: Any, game: int, time: int, mine: int) -> Mapping[str, float]:
    sign = 1 if mine == 0 else -1
    return {"lead": sign * trajectory.lead[time, game], "value": trajectory.value[time, game]}


def test_advantages_equal_those_of_a_plain_loop(trajectory: Any) -> None:
    found, weight = (np.asarray(one) for one in compute_advantages(trajectory, CREDIT))
    unknown = 0
    for game in range(PLAN.games):
        for time, (advantage, counts) in enumerate(advantages_by_loop(trajectory, game, CREDIT)):
            assert weight[time, game] == counts
            assert found[time, game] * counts == pytest.approx(advantage, abs=1e-5)
            unknown += trajectory.learns[time, game] and not counts
    assert 0 < unknown <= PLAN.games  # at most one decision per game: a player's last one


def test_rewards_of_a_game_sum_to_its_margin(trajectory: Any) -> None:
    """If all values are 0, and discount and trace factor are 1, an advantage is the sum of the remaining rewards."""
    worthless = replace(trajectory, value=0 * trajectory.value, last_value=0 * trajectory.last_value)
    whole = np.asarray(compute_advantages(worthless, GaeParameters(0.1, 1.0, 1.0))[0])
    compared = 0
    for game in range(PLAN.games):
        ends = np.flatnonzero(trajectory.ended[:, game])
        for end in ends[ends >= DECISIONS]:
            first = end - DECISIONS + 1
            assert trajectory.lead[first, game] == 0
            assert trajectory.player[first, game] == 0
            assert whole[first, game] == pytest.approx(0.1 * trajectory.lead_after[end, game], abs=1e-5)
            compared += 1
    assert compared >= 5


def test_decisions_of_past_models_are_excluded_from_learning(trajectory: Any) -> None:
    _, weight = compute_advantages(trajectory, CREDIT)
    past = ~trajectory.learns
    assert past[:, : PLAN.pool_games].any()
    assert not past[:, PLAN.pool_games :].any()
    assert not np.asarray(weight)[past].any()
