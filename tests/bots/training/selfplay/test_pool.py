"""The model pool returns the newest model and any past model, and keeps models spread over the whole run."""

from __future__ import annotations

import random
from collections import Counter

import jax.numpy as jnp
import numpy as np
import pytest

from bots.training.selfplay.pool import ModelPool, stack_models


def pool_after(updates: int, size: int = 4, every: int = 2) -> ModelPool:
    pool = ModelPool.with_initial_model(size, every, {"w": jnp.zeros(2)})
    for update in range(1, updates + 1):
        pool = pool.with_newest(update, {"w": jnp.full(2, update)})
    return pool


def test_newest_model_is_that_of_the_last_update() -> None:
    assert pool_after(7).newest["w"].tolist() == [7, 7]


@pytest.mark.long
def test_full_pool_drops_every_second_model_and_halves_its_rate() -> None:
    assert [update for update, _ in pool_after(6).past] == [0, 2, 4, 6]
    assert [update for update, _ in pool_after(8).past] == [0, 4, 8]
    assert [update for update, _ in pool_after(100).past] == [0, 32, 64, 96]
    for updates in range(200):
        pool = pool_after(updates)
        assert len(pool.past) <= 4
        assert all(model["w"][0] == update for update, model in pool.past)


def test_past_models_are_drawn_uniformly() -> None:
    drawn = Counter(int(model["w"][0]) for model in pool_after(6).draw(4000, random.Random(1)))
    assert sorted(drawn) == [0, 2, 4, 6]
    assert all(900 < count < 1100 for count in drawn.values())


def test_stacked_models_have_a_leading_axis() -> None:
    both = stack_models(pool_after(3).draw(3, random.Random(1)))
    assert np.shape(both["w"]) == (3, 2)
