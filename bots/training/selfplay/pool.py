"""The model pool: hands out the newest model and past ones."""

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
    """Past models with the updates after which they were added, oldest first, at most ``size``.

    A full pool forgets every second model and from then on remembers half as often, so that its models stay spread
    over the whole run. ``every``: updates between two models.
    """

    size: int
    every: int
    newest: Model
    past: tuple[tuple[int, Model], ...]

    @staticmethod
    def of(size: int, every: int, first: Parameters) -> ModelPool:
        """A pool with the model of the beginning."""
        model = plain(first)
        return ModelPool(size, every, model, ((0, model),))

    def with_newest(self, update: int, parameters: Parameters) -> ModelPool:
        """After one more update."""
        newest = plain(parameters)
        if update % self.every:
            return replace(self, newest=newest)
        past = (*self.past, (update, newest))
        if len(past) <= self.size:
            return replace(self, newest=newest, past=past)
        every = self.every * 2
        kept = tuple((number, model) for number, model in past if number % every == 0)
        return ModelPool(self.size, every, newest, kept)

    def draw(self, count: int, rng: random.Random) -> Sequence[Model]:
        """So many past models, any of them as likely."""
        return [model for _, model in rng.choices(self.past, k=count)]


def plain(parameters: Parameters) -> Model:
    """The parameters in half precision, which files and networks carry; playing does not notice."""
    return {name: np.asarray(value, dtype=np.float16) for name, value in parameters.items()}


def stacked(models: Sequence[Model]) -> Parameters:
    """Several models as one, with an axis in front."""
    joined: Parameters = jax.tree.map(lambda *arrays: np.stack(arrays).astype(np.float32), *models)
    return joined


def precise(parameters: Parameters) -> dict[str, NDArray[np.float32]]:
    """The parameters as they are, as NumPy arrays."""
    return {name: np.asarray(value) for name, value in parameters.items()}
