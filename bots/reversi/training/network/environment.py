"""Reversi as an environment for self-play, and the opponents against which progress is measured."""

from __future__ import annotations

from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from bots.reversi.training.network.openings import random_start
from bots.reversi.training.network.rules import (
    ACTIONS,
    INPUTS,
    Position,
    observe,
    position_after,
    result,
)
from bots.training.selfplay.environment import Environment, Policy


def mask(position: Position) -> Array:
    """Return the legal actions; in a finished game, all actions."""
    return position.moves.bits() | position.over[..., None]


def player(position: Position) -> Array:
    """Return the seat of the side to move: 0 for black, 1 for white."""
    return jnp.where(position.black, 0, 1)


def lead(position: Position) -> Array:
    """Return the result for black, or 0 before the end; only the winner matters, not the number of discs."""
    found = result(position) * position.over
    return jnp.where(position.black, found, -found)


ENVIRONMENT: Final = Environment(
    inputs=INPUTS,
    actions=ACTIONS,
    start=random_start,
    observe=observe,
    mask=mask,
    step=position_after,
    player=player,
    lead=lead,
    over=lambda position: position.over,
)


def random_move(position: Position, key: Array) -> Array:
    """Return a random legal move."""
    return jnp.argmax(jnp.where(mask(position), jax.random.uniform(key, (ACTIONS,)), -1.0))


def least_mobility(position: Position, key: Array) -> Array:
    """Return a random move among those that leave the opponent the fewest replies."""
    after = jax.vmap(position_after, in_axes=(None, 0))(position, jnp.arange(ACTIONS))
    answers = jnp.where(after.black == position.black, 0, after.moves.size())
    cost = answers + jax.random.uniform(key, (ACTIONS,))
    return jnp.argmin(jnp.where(mask(position), cost, jnp.inf))


OPPONENTS: Final[dict[str, Policy]] = {"random_move": random_move, "least_mobility": least_mobility}
