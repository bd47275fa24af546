"""Play many games at once with the newest model, some of them against past models, and record the decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax

from bots.training.selfplay.environment import Environment, State
from bots.training.selfplay.network import Parameters, evaluate, legal_log_probabilities
from bots.training.selfplay.plan import Plan

BOTH = -1  # value of ``learner_seats`` for a game of the newest model against itself


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Trajectory:
    """A sampler's decisions.

    Arrays have the shape (length, games), or (games,) for the state after the last decision. ``lead`` and
    ``lead_after``: player 0's lead before and after the decision; ``ended``: whether the decision ended the game;
    ``learns``: whether the newest model made the decision.
    """

    state: State
    action: Array
    log_probability: Array
    value: Array
    player: Array
    lead: Array
    lead_after: Array
    ended: Array
    learns: Array
    last_value: Array
    last_player: Array
    last_lead: Array


Collect = Callable[[Parameters, Parameters, State, Array], tuple[State, Trajectory]]


def new_games(environment: Environment, plan: Plan, key: Array) -> State:
    """Start all games that the plan calls for."""
    return jax.vmap(environment.start)(jax.random.split(key, plan.games))


def learner_seats(plan: Plan) -> Array:
    """Return the newest model's seat in each game: alternately 0 and 1 against past models, otherwise BOTH."""
    number = jnp.arange(plan.games)
    return jnp.where(number < plan.pool_games, number % 2, BOTH)


def compile_collector(environment: Environment, plan: Plan) -> Collect:
    """Return ``collect(newest, past, games, key)``.

    It makes ``plan.length`` decisions in each game, and returns the resulting games and the decisions. ``past``: the
    parameters of ``plan.opponents_at_once`` models, stacked. Finished games are replaced with new ones.
    """

    def collect(newest: Parameters, past: Parameters, games: State, key: Array) -> tuple[State, Trajectory]:
        keys = jax.random.split(key, plan.length)
        games, kept = lax.scan(
            lambda state, own: _play_decision(environment, plan, newest, past, state, own), games, keys
        )
        _, last_value = evaluate(newest, jax.vmap(environment.observe)(games))
        trajectory = Trajectory(
            **kept,
            last_value=last_value,
            last_player=jax.vmap(environment.player)(games),
            last_lead=jax.vmap(environment.lead)(games),
        )
        return games, trajectory

    compiled: Collect = jax.jit(collect)
    return compiled


def _play_decision(
    environment: Environment, plan: Plan, newest: Parameters, past: Parameters, games: State, key: Array
) -> tuple[State, dict[str, Any]]:
    """Make one decision in each game; return the games, and the decisions keyed by the fields of ``Trajectory``."""
    choosing, starting = jax.random.split(key)
    action, log_probability, value = _sample_actions(environment, plan, newest, past, games, choosing)
    after = jax.vmap(environment.step)(games, action)
    ended = jax.vmap(environment.over)(after)
    player = jax.vmap(environment.player)(games)
    seat = learner_seats(plan)
    kept = {
        "state": games,
        "action": action,
        "log_probability": log_probability,
        "value": value,
        "player": player,
        "lead": jax.vmap(environment.lead)(games),
        "lead_after": jax.vmap(environment.lead)(after),
        "ended": ended,
        "learns": (seat == BOTH) | (seat == player),
    }
    fresh = new_games(environment, plan, starting)
    return _replace_where(after, fresh, ended), kept


def _sample_actions(
    environment: Environment, plan: Plan, newest: Parameters, past: Parameters, games: State, key: Array
) -> tuple[Array, Array, Array]:
    """Draw actions, one per game; return them with their log probabilities and the newest model's values."""
    theirs = jax.vmap(environment.player)(games) != learner_seats(plan)
    observed = jax.vmap(environment.observe)(games)
    legal = jax.vmap(environment.mask)(games)
    logits, value = evaluate(newest, observed)
    chances = legal_log_probabilities(_apply_past_models(plan, logits, past, observed, theirs), legal)
    action = jax.random.categorical(key, chances)
    return action, jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0], value


def _apply_past_models(plan: Plan, logits: Array, past: Parameters, observed: Array, theirs: Array) -> Array:
    """In the pool's games, use the past models' logits for the decisions that these models make."""
    count = plan.pool_games
    if not count:
        return logits
    by_model = observed[:count].reshape(plan.opponents_at_once, -1, observed.shape[1])
    old, _ = jax.vmap(evaluate)(past, by_model)
    mixed = jnp.where(theirs[:count, None], old.reshape(count, -1), logits[:count])
    return jnp.concatenate([mixed, logits[count:]])


def _replace_where(games: State, fresh: State, ended: Array) -> State:
    def pick(old: Array, new: Array) -> Array:
        return jnp.where(ended.reshape(ended.shape + (1,) * (old.ndim - 1)), new, old)

    return jax.tree.map(pick, games, fresh)


def restart_pool_games(environment: Environment, plan: Plan, games: State, key: Array) -> State:
    """Restart the games against past models, because these models have changed."""
    return _replace_where(games, new_games(environment, plan, key), jnp.arange(plan.games) < plan.pool_games)
