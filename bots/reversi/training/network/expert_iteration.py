"""Expert iteration: play games in which a search chooses every move, and train the network on its results.

The search looks one move ahead: the network evaluates the positions after the likeliest moves. From their values q, the
search computes a policy proportional to policy * exp(SHARPNESS * q), which is the best policy close to the old one
(Grill et al., Monte-Carlo tree search as regularized policy optimization, 2020). The mean q under this policy is the
value of the position. The value targets combine these values with the game's later values and result (TD(lambda)).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from bots.reversi.training.network.openings import random_start
from bots.reversi.training.network.rules import ACTIONS, Position, observe, position_after, result, select
from bots.training.selfplay.network import ILLEGAL, Parameters, evaluate

WIDTH: Final = 16  # number of moves searched; there are rarely more legal moves
SHARPNESS: Final = 8.0
LAMBDA: Final = 0.9


class SearchResult(NamedTuple):
    """The result of a search.

    ``policy``: the improved policy over all actions; ``value``: the value of the position for the side to move, from -1
    to 1.
    """

    policy: Array
    value: Array


class Samples(NamedTuple):
    """The positions with their training targets; the leading axes are (steps, games) or (samples,)."""

    position: Position
    policy: Array
    value: Array


def search_one_ply(parameters: Parameters, position: Position) -> SearchResult:
    """Search one move ahead."""
    logits, _ = evaluate(parameters, observe(position))
    known, actions = jax.lax.top_k(jnp.where(position.moves.bits(), logits, ILLEGAL), WIDTH)
    after = position_after(jax.tree.map(lambda one: one[..., None], position), actions)
    _, values = evaluate(parameters, observe(after))
    worth = jnp.where(after.over, result(after), jnp.clip(values, -1, 1))
    worth = jnp.where(after.black == position.black[..., None], worth, -worth)
    policy = jax.nn.softmax(known + SHARPNESS * worth, axis=-1)
    dense = jnp.sum(jax.nn.one_hot(actions, ACTIONS) * policy[..., None], axis=-2)
    return SearchResult(dense, jnp.sum(policy * worth, axis=-1))


def self_play(parameters: Parameters, games: Position, key: Array, steps: int) -> tuple[Position, Samples, Array]:
    """Play ``steps`` moves of each game.

    Return the games, the samples, and how many games finished. New games replace finished ones.
    """
    opening, choosing = jax.random.split(key)
    fresh = jax.vmap(random_start)(jax.random.split(opening, games.black.shape[0]))

    def step(position: Position, key: Array) -> tuple[Position, tuple[Position, SearchResult, Array, Array]]:
        search = search_one_ply(parameters, position)
        after = position_after(position, jax.random.categorical(key, jnp.log(search.policy)))
        sign = jnp.where(after.black == position.black, 1.0, -1.0)
        kept = position, search, jnp.where(after.over, 0.0, sign), jnp.where(after.over, sign * result(after), 0.0)
        return select(after.over, fresh, after), kept

    last, (positions, searches, onwards, ended) = jax.lax.scan(step, games, jax.random.split(choosing, steps))

    def step_back(carried: tuple[Array, Array], step: tuple[Array, Array, Array]) -> tuple[tuple[Array, Array], Array]:
        (later, following), (now, sign, reward) = carried, step
        returned = reward + sign * (LAMBDA * later + (1 - LAMBDA) * following)
        return (returned, now), returned

    beyond = search_one_ply(parameters, last).value
    _, returns = jax.lax.scan(step_back, (beyond, beyond), (searches.value, onwards, ended), reverse=True)
    return last, Samples(positions, searches.policy, returns), jnp.sum(onwards == 0)


def flatten(samples: Samples) -> Samples:
    """Flatten the leading axes of the samples into one."""
    found: Samples = jax.tree.map(lambda one: one.reshape(-1, *one.shape[2:]), samples)
    return found
