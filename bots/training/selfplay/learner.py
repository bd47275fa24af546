"""Collect a learner's trajectories, update the network together with the other learners, and maintain the model pool.

Every learner holds the same parameters and the same pool, so only gradients have to be sent between learners.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import jax
import jax.numpy as jnp
from jax import Array

from bots.training.selfplay.environment import Environment, Learnable
from bots.training.selfplay.group import LearnerGroup
from bots.training.selfplay.network import Parameters, initial_weights
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.pool import Model, ModelPool
from bots.training.selfplay.returns import Batch, GaeParameters, flatten_batch
from bots.training.selfplay.sampling import Trajectory
from bots.training.selfplay.update import Schedule, TrainingState, compile_update, initial_state


class Samplers(Protocol):
    """One learner's samplers."""

    def play(self, update: int, newest: Parameters, past: Sequence[Model] | None) -> Sequence[Trajectory]:
        """Play games and return their trajectories: the same number each time, even after losing samplers.

        Raises SamplersLostError if none is left.
        """

    def close(self) -> None:
        """Stop the samplers in other processes."""


class SamplersLostError(RuntimeError):
    """Raised if a learner has no samplers left."""


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """The report after an update.

    ``steps``: the number of decisions made by all learners so far; ``progress``: the share of the run that is complete;
    ``stops``: whether any learner wants to stop. All learners have the same values, so that no learner waits forever
    for another.
    """

    update: int
    steps: int
    progress: float
    stops: bool = False
    metrics: dict[str, float] = field(default_factory=dict)


class Learner:
    """A learner that trains a network, one update at a time; ``resume`` continues from a saved state."""

    def __init__(self, game: Learnable, plan: Plan, group: LearnerGroup, samplers: Samplers) -> None:
        environment = game.load_environment()
        parameters = initial_parameters(game, environment, plan)
        credit = GaeParameters(game.reward_scale, game.discount, game.trace)
        self._plan = plan
        self._group = group
        self._samplers = samplers
        self._update = compile_update(environment, plan, group.mesh)
        self._batch = jax.jit(lambda played: _concatenate([flatten_batch(one, credit) for one in played]))
        self._state: TrainingState = group.shared(initial_state(plan, parameters))
        self.pool = ModelPool.with_initial_model(plan.pool_size, plan.remember, parameters)
        self.report = UpdateReport(0, 0, 0.0)

    @property
    def state(self) -> TrainingState:
        """Return the network parameters and the optimizer state, on this learner's device."""
        state: TrainingState = self._group.own(self._state)
        return state

    def resume(self, state: TrainingState, pool: ModelPool, report: UpdateReport) -> None:
        """Continue from a saved state."""
        self._state = self._group.shared(state)
        self.pool = pool
        self.report = report

    @property
    def at_rest(self) -> bool:
        """Return whether the next update draws new opponents: only then can a run be saved and resumed."""
        return self.report.update % self._plan.redraw == 0

    def step(self, progress: float, *, stops: bool = False) -> UpdateReport:
        """Perform one update; return the report after it.

        ``progress`` and ``stops`` are this learner's own values; the report contains the values combined from all
        learners.
        """
        number = self.report.update + 1
        past = self._opponents(number) if self.at_rest else None
        rows = self._batch(self._samplers.play(number, self.state.parameters, past))
        key = jax.random.fold_in(jax.random.key(self._plan.seed), number)
        agreed = self.report.progress
        schedule = Schedule(key, jnp.float32(self._plan.rate_at(agreed)), jnp.float32(self._plan.entropy_at(agreed)))
        votes = jnp.array([[progress, float(stops)]])
        self._state, metrics, common = self._update(
            self._state, self._group.split(rows), self._group.split(votes), self._group.shared(schedule)
        )
        mean_progress, some_stop = (float(one) for one in self._own(common))
        self.pool = self.pool.with_newest(number, self.state.parameters)
        self.report = UpdateReport(
            number,
            self.report.steps + rows.action.shape[0] * self._group.size,
            mean_progress,
            some_stop > 0,
            {name: float(self._own(value)) for name, value in metrics.items()},
        )
        return self.report

    def _opponents(self, number: int) -> Sequence[Model]:
        chance = random.Random(f"{self._plan.seed}/{self._group.rank}/{number}")  # noqa: S311 - not a secret
        return self.pool.draw(self._plan.opponents_at_once, chance)

    def _own(self, array: Array) -> Array:
        own: Array = self._group.own(array)
        return own


def initial_parameters(game: Learnable, environment: Environment, plan: Plan) -> Parameters:
    """Return the network's initial parameters."""
    key = jax.random.key(plan.seed)
    return initial_weights(key, environment.inputs, game.hidden, environment.actions)


def _concatenate(batches: Sequence[Batch]) -> Any:
    return jax.tree.map(lambda *arrays: jnp.concatenate(arrays), *batches)
