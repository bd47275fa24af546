"""The sampler's role: play a share of the games with the models that a learner hands it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax

from bots.training.selfplay.environment import Environment, State
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.pool import Model, stacked
from bots.training.selfplay.sampling import Trajectory, collector, new_games, restarted


class Sampler:
    """Games that go on from update to update; ``number`` among all samplers decides their chance."""

    def __init__(self, environment: Environment, plan: Plan, number: int) -> None:
        self._environment = environment
        self._plan = plan
        self._key = jax.random.fold_in(jax.random.key(plan.seed), number)
        self._collect = collector(environment, plan)
        self._new = jax.jit(lambda key: new_games(environment, plan, key))
        self._restart = jax.jit(lambda games, key: restarted(environment, plan, games, key))
        self.games: State = self._new(jax.random.fold_in(self._key, 0))
        self._past: Any = None

    def play(self, update: int, newest: Any, past: Sequence[Model] | None) -> Trajectory:
        """The decisions of this update. ``past``: other opponents than before, where there are."""
        playing, restarting = jax.random.split(jax.random.fold_in(self._key, update + 1))
        if past is not None:
            self._past = jax.device_put(stacked(past))
            self.games = self._restart(self.games, restarting)
        if self._past is None:
            raise ValueError("A sampler needs opponents for its first games.")
        self.games, played = self._collect(newest, self._past, self.games, playing)
        return played
