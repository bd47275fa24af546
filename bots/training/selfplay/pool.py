"""The model pool: the newest model and past models."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import jax
import numpy as np
from numpy.typing import NDArray

from bots.training.selfplay.network import Parameters

Model = dict[str, NDArray[np.float16]]


@dataclass(frozen=True, slots=True)
class ModelPool:
    """Past models with their update numbers, oldest first, at most ``size``.

    A full pool drops every other model and then stores models half as often, so that they remain spread over the
    whole run. ``every``: the number of updates between stored models.
    """

    size: int
    every: int
    newest: Model
    past: tuple[tuple[int, Model], ...]

    @staticmethod
    def with_initial_model(size: int, every: int, first: Parameters) -> ModelPool:
        """Create a pool with the initial model."""
        model = to_half_precision(first)
        return ModelPool(size, every, model, ((0, model),))

    def with_newest(self, update: int, parameters: Parameters) -> ModelPool:
        """Return the pool after ``update``, with these parameters as its newest model."""
        newest = to_half_precision(parameters)
        if update % self.every:
            return replace(self, newest=newest)
        past = (*self.past, (update, newest))
        if len(past) <= self.size:
            return replace(self, newest=newest, past=past)
        every = self.every * 2
        kept = tuple((number, model) for number, model in past if number % every == 0)
        return ModelPool(self.size, every, newest, kept)

    def draw(self, count: int, rng: random.Random) -> Sequence[Model]:
        """Draw past models uniformly at random, with replacement."""
        return [model for _, model in rng.choices(self.past, k=count)]


def to_half_precision(parameters: Parameters) -> Model:
    """Return the parameters in half precision, for storing and sending; the lower precision hardly affects play."""
    return {name: np.asarray(value, dtype=np.float16) for name, value in parameters.items()}


def stack_models(models: Sequence[Model]) -> Parameters:
    """Stack several models along a new first axis."""
    joined: Parameters = jax.tree.map(lambda *arrays: np.stack(arrays).astype(np.float32), *models)
    return joined


def to_full_precision(parameters: Parameters) -> dict[str, NDArray[np.float32]]:
    """Return the parameters in full precision, as NumPy arrays."""
    return {name: np.asarray(value) for name, value in parameters.items()}
