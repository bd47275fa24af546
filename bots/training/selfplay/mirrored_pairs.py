"""Play mirrored pairs of games between two policies in one batch and count the wins; used to evaluate models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from bots.training.selfplay.environment import Environment, Learnable, Policy, State
from bots.training.selfplay.network import evaluate, legal_log_probabilities

Player = Callable[[Any, State, Array], Array]
"""``player(parameters, game, key)``: an action. Parameters are an argument: one compilation serves all models."""


def network_player(environment: Environment) -> Player:
    """Return a policy that plays a network's most probable action."""

    def player(parameters: Any, game: State, key: Array) -> Array:
        logits, _ = evaluate(parameters, environment.observe(game))
        return jnp.argmax(legal_log_probabilities(logits, environment.mask(game)))

    return player


def fixed_policy_player(policy: Policy) -> Player:
    """Turn a policy that has no parameters into a player."""

    def player(parameters: Any, game: State, key: Array) -> Array:
        return policy(game, key)

    return player


@dataclass(frozen=True, slots=True)
class PairScore:
    """The first player's results.

    ``pairs``: points in mirrored pairs, half a point for a draw; ``games``: points in single games.
    """

    count: int
    pairs: float
    games: float

    @property
    def pair_rate(self) -> float:
        """Return the win rate in mirrored pairs."""
        return self.pairs / self.count

    @property
    def game_rate(self) -> float:
        """Return the win rate in single games."""
        return self.games / (2 * self.count)


PairPlay = Callable[[Any, Any, int, int], PairScore]


def compile_pair_play(environment: Environment, first: Player, second: Player) -> PairPlay:
    """Return ``play(ours, theirs, pairs, seed)``.

    It plays ``pairs`` mirrored pairs of games and returns the score of ``ours``.
    """

    def one(ours: Any, theirs: Any, key: Array, seat: Array) -> Array:
        """Return the final lead of ``ours`` in a game in which it plays as player ``seat``."""
        chance, deciding = jax.random.split(key)

        def decide(carry: tuple[State, Array]) -> tuple[State, Array]:
            game, keys = carry
            keys, own = jax.random.split(keys)
            mine = environment.player(game) == seat
            action = jnp.where(mine, first(ours, game, own), second(theirs, game, own))
            return environment.step(game, action), keys

        def is_running(carry: tuple[State, Array]) -> Array:
            return ~environment.over(carry[0])

        game, _ = lax.while_loop(is_running, decide, (environment.start(chance), jax.random.fold_in(deciding, seat)))
        return environment.lead(game) * jnp.where(seat == 0, 1.0, -1.0)

    both = jax.vmap(one, in_axes=(None, None, None, 0))
    compiled = jax.jit(jax.vmap(both, in_axes=(None, None, 0, None)))

    def play(ours: Any, theirs: Any, pairs: int, seed: int) -> PairScore:
        keys = jax.random.split(jax.random.key(seed), pairs)
        leads = np.asarray(compiled(ours, theirs, keys, jnp.arange(2)))
        return PairScore(
            pairs, float(points_from_leads(leads.sum(axis=1)).sum()), float(points_from_leads(leads).sum())
        )

    return play


def points_from_leads(leads: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Convert leads to points: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return np.asarray(np.where(leads > 0, 1.0, np.where(leads < 0, 0.0, 0.5)))


Measure = Callable[[Any, int], Mapping[str, PairScore]]


def strength_measurer(game: Learnable, pairs: int) -> Measure:
    """Return ``measure(parameters, seed)``, which returns the score against each of the game's opponents, by name.

    ``pairs``: number of mirrored pairs per opponent.
    """
    environment = game.load_environment()
    ours = network_player(environment)
    plays = {
        name: compile_pair_play(environment, ours, fixed_policy_player(policy))
        for name, policy in game.load_opponents().items()
    }

    def measure(parameters: Any, seed: int) -> Mapping[str, PairScore]:
        return {name: play(parameters, None, pairs, seed) for name, play in plays.items()}

    return measure
