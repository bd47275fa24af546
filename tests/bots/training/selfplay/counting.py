"""A test game that compiles quickly: ten decisions that take 0, 1 or 2 points; 2 is illegal right after a 2.

A player who takes 0 decides again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from bots.training.selfplay.environment import Environment, Learnable
from bots.training.selfplay.plan import Plan

DECISIONS: Final = 10


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Counting:
    """A state of the game; ``odd``: a random value that does not matter."""

    made: Array
    player: Array
    points: Array
    last: Array
    odd: Array


def start(key: Array) -> Counting:
    odd = jax.random.bernoulli(key).astype(jnp.float32)
    return Counting(jnp.int32(0), jnp.int32(0), jnp.zeros(2), jnp.int32(0), odd)


def observe(game: Counting) -> Array:
    return jnp.stack([game.made / DECISIONS, game.last == 2, game.player, game.odd]).astype(jnp.float32)


def mask(game: Counting) -> Array:
    return jnp.array([True, True, False]) | (game.last != 2)


def step(game: Counting, action: Array) -> Counting:
    return replace(
        game,
        made=game.made + 1,
        player=jnp.where(action == 0, game.player, 1 - game.player).astype(jnp.int32),
        points=game.points + jnp.where(jnp.arange(2) == game.player, action, 0),
        last=jnp.int32(action),
    )


def player(game: Counting) -> Array:
    return game.player


def lead(game: Counting) -> Array:
    return game.points[0] - game.points[1]


def is_over(game: Counting) -> Array:
    return game.made >= DECISIONS


def take_one_point(game: Counting, key: Array) -> Array:
    """Take one point in every turn."""
    return jnp.int32(1)


def choose_at_random(game: Counting, key: Array) -> Array:
    """Choose any legal action at random."""
    return jax.random.categorical(key, jnp.where(mask(game), 0.0, -jnp.inf))


ENVIRONMENT: Final = Environment(4, 3, start, observe, mask, step, player, lead, is_over)
OPPONENTS: Final = {"at_random": choose_at_random}
COUNTING: Final = Learnable("counting", f"{__name__}:ENVIRONMENT", f"{__name__}:OPPONENTS", hidden=(16,))
PLAN: Final = Plan(games=20, length=16, minibatch=80, epochs=2, pool_size=4, opponents=2, redraw=2, remember=2)
