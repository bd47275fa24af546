"""The learner for expert iteration: rounds of self-play, each followed by fitting the network to the results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from bots.reversi.training.network.expert_iteration import Samples, flatten, self_play
from bots.reversi.training.network.openings import random_start
from bots.reversi.training.network.rules import ACTIONS, INPUTS, Position, observe
from bots.training.selfplay.network import Parameters, evaluate, initial_weights, legal_log_probabilities

HIDDEN: Final = (512, 512, 512)
_AVERAGING: Final = 0.999  # decay of the moving average of the weights, which is used for play and shipped
# The eight symmetries of the board augment the data.
_BOARD: Final = np.arange(64).reshape(8, 8)
_IMAGES: Final = [np.rot90(board, turns) for board in (_BOARD, _BOARD.T) for turns in range(4)]
# For each symmetry, the source square of each target square.
SYMMETRIES: Final = np.stack([image.reshape(64) for image in _IMAGES])


_Weights = tuple[Parameters, Parameters, Any]  # trained weights, their moving average, the optimizer's state


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of a training round.

    ``games``: games played at once; ``steps``: moves in each; ``batch``: positions per training batch.
    """

    games: int = 8192
    steps: int = 32
    batch: int = 8192


class LearnerState(NamedTuple):
    """The complete state of a run."""

    parameters: Parameters
    average: Parameters
    optimizer: Any
    games: Position
    key: Array


class RoundReport(NamedTuple):
    """The means over a round, except for ``games``, the total number of finished games.

    ``explained``: the share of the returns' variance that the value head explains.
    """

    policy_loss: Array
    value_loss: Array
    entropy: Array
    explained: Array
    games: Array


def _optimizer() -> optax.GradientTransformation:
    """Return Adam with weight decay and clipped gradients; the learning rate is an input to each step."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(1e-4))


def new_learner(plan: Plan, seed: int, parameters: Parameters | None = None) -> LearnerState:
    """Return the state at the start of a run, with these weights or, by default, random ones."""
    key, opening, weights = jax.random.split(jax.random.key(seed), 3)
    parameters = parameters or initial_weights(weights, INPUTS, HIDDEN, ACTIONS)
    average = jax.tree.map(jnp.copy, parameters)
    games = jax.jit(jax.vmap(random_start))(jax.random.split(opening, plan.games))
    return LearnerState(parameters, average, _optimizer().init(parameters), games, key)


def network_loss(parameters: Parameters, batch: Samples, key: Array) -> tuple[Array, tuple[Array, ...]]:
    """Return the loss and four metrics: the loss's two parts, the policy's entropy, and the value's explained variance.

    The loss is the sum of its parts, the policy's cross-entropy and the value's squared error. Random symmetries are
    applied to the positions first.
    """
    seen, legal, policy = apply_random_symmetry(key, observe(batch.position), batch.position.moves.bits(), batch.policy)
    logits, value = evaluate(parameters, seen)
    logs = jnp.where(legal, legal_log_probabilities(logits, legal), 0.0)
    of_policy = -jnp.mean(jnp.sum(policy * logs, axis=-1))
    missed = jnp.mean((value - batch.value) ** 2)
    entropy = -jnp.mean(jnp.sum(jnp.where(legal, jnp.exp(logs) * logs, 0.0), axis=-1))
    explained = 1 - missed / jnp.maximum(jnp.var(batch.value), 1e-6)
    return of_policy + missed, (of_policy, missed, entropy, explained)


def compile_round(plan: Plan) -> Callable[[LearnerState, Array], tuple[LearnerState, RoundReport]]:
    """Return a function that runs one compiled round; its second argument is the learning rate."""
    optimizer = _optimizer()
    positions = plan.games * plan.steps
    batches = positions // plan.batch

    @partial(jax.jit, donate_argnums=0)
    def run_round(learner: LearnerState, rate: Array) -> tuple[LearnerState, RoundReport]:
        key, playing, shuffling, mirroring = jax.random.split(learner.key, 4)
        games, samples, ended = self_play(learner.average, learner.games, playing, plan.steps)
        row = flatten(samples)
        order = jax.random.permutation(shuffling, positions)[: batches * plan.batch].reshape(batches, plan.batch)

        def fit(weights: _Weights, step: tuple[Array, Array]) -> tuple[_Weights, tuple[Array, ...]]:
            parameters, average, state = weights
            places, key = step
            batch = jax.tree.map(lambda one: one[places], row)
            gradients, losses = jax.grad(network_loss, has_aux=True)(parameters, batch, key)
            updates, state = optimizer.update(gradients, state, parameters)
            parameters = jax.tree.map(lambda weight, update: weight - rate * update, parameters, updates)
            average = jax.tree.map(lambda old, new: _AVERAGING * old + (1 - _AVERAGING) * new, average, parameters)
            return (parameters, average, state), losses

        weights = (learner.parameters, learner.average, learner.optimizer)
        (parameters, average, state), losses = jax.lax.scan(fit, weights, (order, jax.random.split(mirroring, batches)))
        return LearnerState(parameters, average, state, games, key), RoundReport(
            jnp.mean(losses[0]), jnp.mean(losses[1]), jnp.mean(losses[2]), jnp.mean(losses[3]), ended
        )

    return run_round


def apply_random_symmetry(key: jax.Array, *planes: jax.Array) -> list[jax.Array]:
    """Apply a random symmetry to each position; all planes of a position get the same one.

    Each plane has shape (positions, 64 * n), that is, n boards of 64 squares.
    """
    count = planes[0].shape[0]
    places = jnp.asarray(SYMMETRIES)[jax.random.randint(key, (count,), 0, len(SYMMETRIES))]
    images = []
    for plane in planes:
        boards = plane.reshape(count, -1, 64)
        images.append(jnp.take_along_axis(boards, places[:, None, :], axis=-1).reshape(plane.shape))
    return images
