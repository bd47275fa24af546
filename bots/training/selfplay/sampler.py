"""The sampler's role: play a share of the games with the models that a learner sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax

from bots.training.selfplay.environment import Environment, State
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.pool import Model, stack_models
from bots.training.selfplay.sampling import Trajectory, compile_collector, new_games, restart_pool_games


class Sampler:
    """A sampler whose games continue from one update to the next; ``number`` identifies and seeds the sampler."""

    def __init__(self, environment: Environment, plan: Plan, number: int) -> None:
        self._key = jax.random.fold_in(jax.random.key(plan.seed), number)
        self._collect = compile_collector(environment, plan)
        self._restart = jax.jit(lambda games, key: restart_pool_games(environment, plan, games, key))
        games = jax.jit(lambda key: new_games(environment, plan, key))(jax.random.fold_in(self._key, 0))
        self.games: State = commit_to_device(games)
        self._past: Any = None

    def play(self, time: int, newest: Any, past: Sequence[Model] | None) -> Trajectory:
        """Play the next trajectory and return it.

        ``time``: a number that is different for every call; ``past``: the new opponents, or None if they have not
        changed.
        """
        playing, restarting = jax.random.split(jax.random.fold_in(self._key, time + 1))
        if past is not None:
            self._past = commit_to_device(stack_models(past))
            self.games = commit_to_device(self._restart(self.games, restarting))
        if self._past is None:
            raise ValueError("A sampler needs opponents for its first games.")
        self.games, played = self._collect(commit_to_device(newest), self._past, self.games, playing)
        return played


def commit_to_device(tree: Any) -> Any:
    """Commit arrays to this process's device, because JAX would recompile for uncommitted ones."""
    return jax.device_put(tree, jax.local_devices()[0])


class EmbeddedSampler:
    """A sampler in the learner's own process. This is fastest on one machine: no process waits for another."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    def play(self, update: int, newest: Any, past: Sequence[Model] | None) -> Sequence[Trajectory]:
        """Play one episode and return its trajectory in a sequence of length one."""
        return [self._sampler.play(update, newest, past)]

    def close(self) -> None:
        """Do nothing: there is no process to end."""
