"""One PPO update, the same on every learner: local gradients, averaged over all learners before each step.

J. Schulman et al., Proximal Policy Optimization Algorithms, arXiv:1707.06347: clipped surrogate objective, value loss,
entropy bonus.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import Array, lax
from jax.sharding import Mesh, PartitionSpec

from bots.training.selfplay.environment import Environment
from bots.training.selfplay.network import Parameters, evaluate, legal_log_probabilities
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.returns import Batch

LEARNERS = "learners"  # the axis over which gradients are averaged


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class TrainingState:
    """The training state that all learners share."""

    parameters: Parameters
    optimizer: Any


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Schedule:
    """An update's learning rate and entropy weight, and the random key for its shuffles."""

    key: Array
    rate: Array
    entropy: Array


Metrics = dict[str, Array]
Update = Callable[[TrainingState, Batch, Array, Schedule], tuple[TrainingState, Metrics, Array]]


def create_optimizer(plan: Plan) -> optax.GradientTransformation:
    """Return Adam with clipped gradients; the learning rate is an input to each update."""
    return optax.chain(optax.clip_by_global_norm(plan.gradient_norm), optax.scale_by_adam(eps=1e-5))


def initial_state(plan: Plan, parameters: Parameters) -> TrainingState:
    """Return a run's initial state."""
    return TrainingState(parameters, create_optimizer(plan).init(parameters))


def compile_update(environment: Environment, plan: Plan, mesh: Mesh) -> Update:
    """Return ``update``, which returns the new state, metrics, and the mean of the learners' ``votes``.

    The batch and ``votes`` are split among the learners; everything else is the same on all of them. Each learner has
    one row of ``votes``: its progress, and 1 if it wants to stop, otherwise 0.
    """
    adam = create_optimizer(plan)
    loss = partial(ppo_loss, environment, plan)

    def minibatch(state: TrainingState, rows: Batch, schedule: Schedule) -> tuple[TrainingState, Metrics]:
        gradients, metrics = jax.grad(loss, has_aux=True)(state.parameters, rows, schedule.entropy)
        gradients = lax.pmean(gradients, LEARNERS)
        steps, moments = adam.update(gradients, state.optimizer)
        parameters = jax.tree.map(lambda old, step: old - schedule.rate * step, state.parameters, steps)
        return TrainingState(parameters, moments), metrics

    def epoch(state: TrainingState, rows: Batch, schedule: Schedule, key: Array) -> tuple[TrainingState, Metrics]:
        order = jax.random.permutation(key, rows.action.shape[0]).reshape(-1, plan.minibatch)

        def part(carry: TrainingState, chosen: Array) -> tuple[TrainingState, Metrics]:
            return minibatch(carry, jax.tree.map(lambda array: array[chosen], rows), schedule)

        return lax.scan(part, state, order)

    def update(
        state: TrainingState, rows: Batch, votes: Array, schedule: Schedule
    ) -> tuple[TrainingState, Metrics, Array]:
        own = jax.random.fold_in(schedule.key, lax.axis_index(LEARNERS))
        keys = jax.random.split(own, plan.epochs)
        state, metrics = lax.scan(lambda carry, key: epoch(carry, rows, schedule, key), state, keys)
        shown = {name: values.mean() for name, values in metrics.items()}
        shown["explained_variance"] = explained_variance(rows)
        return state, lax.pmean(shown, LEARNERS), lax.pmean(votes[0], LEARNERS)

    shared, split = PartitionSpec(), PartitionSpec(LEARNERS)
    mapped = jax.shard_map(
        update, mesh=mesh, in_specs=(shared, split, split, shared), out_specs=shared, check_vma=False
    )
    compiled: Update = jax.jit(mapped)
    return compiled


def ppo_loss(
    environment: Environment, plan: Plan, parameters: Parameters, rows: Batch, entropy_weight: Array
) -> tuple[Array, Metrics]:
    """Return the loss of a minibatch and its metrics: clipped surrogate objective, value loss and entropy bonus."""
    logits, value = evaluate(parameters, jax.vmap(environment.observe)(rows.state))
    legal = jax.vmap(environment.mask)(rows.state)
    chances = legal_log_probabilities(logits, legal)
    count = jnp.maximum(rows.weight.sum(), 1.0)

    def mean(values: Array) -> Array:
        return (values * rows.weight).sum() / count

    ratio_log = jnp.take_along_axis(chances, rows.action[:, None], axis=1)[:, 0] - rows.log_probability
    ratio = jnp.exp(ratio_log)
    centred = rows.advantage - mean(rows.advantage)
    advantage = centred / (jnp.sqrt(mean(centred**2)) + 1e-6)
    clipped = jnp.clip(ratio, 1 - plan.clip, 1 + plan.clip)
    gain = mean(jnp.minimum(ratio * advantage, clipped * advantage))
    value_loss = mean((value - rows.advantage - rows.value) ** 2)
    entropy = mean(-jnp.where(legal, jnp.exp(chances) * chances, 0.0).sum(axis=1))
    total = -gain + plan.value_weight * value_loss - entropy_weight * entropy
    metrics = {"entropy": entropy, "kl": mean(ratio - 1 - ratio_log), "value_loss": value_loss}
    return total, metrics | {"clipped": mean(jnp.abs(ratio - 1) > plan.clip)}


def explained_variance(rows: Batch) -> Array:
    """Return the share of the returns' variance that the value head explains: 1 for all, 0 or less for none."""
    count = jnp.maximum(rows.weight.sum(), 1.0)

    def variance(values: Array) -> Array:
        mean = (values * rows.weight).sum() / count
        return (((values - mean) ** 2) * rows.weight).sum() / count

    return 1 - variance(rows.advantage) / jnp.maximum(variance(rows.advantage + rows.value), 1e-8)
