"""Reversi as self-play sees it, and the players that progress is measured against."""

from __future__ import annotations

from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

from bots.reversi.training.network.openings import start
from bots.reversi.training.network.rules import (
    ACTIONS,
    INPUTS,
    Position,
    observe,
    played,
    result,
)
from bots.training.selfplay.environment import Environment, Policy


def mask(position: Position) -> Array:
    """Legal actions; all of them in a game that is over."""
    return position.moves.bits() | position.over[..., None]


def player(position: Position) -> Array:
    """0 black, 1 white."""
    return jnp.where(position.black, 0, 1)


def lead(position: Position) -> Array:
    """The result for black, 0 until the game is over: a win counts, not the discs."""
    found = result(position) * position.over
    return jnp.where(position.black, found, -found)


ENVIRONMENT: Final = Environment(
    inputs=INPUTS,
    actions=ACTIONS,
    start=start,
    observe=observe,
    mask=mask,
    step=played,
    player=player,
    lead=lead,
    over=lambda position: position.over,
)


def random_move(position: Position, key: Array) -> Array:
    """Any legal move."""
    return jnp.argmax(jnp.where(mask(position), jax.random.uniform(key, (ACTIONS,)), -1.0))


def least_mobility(position: Position, key: Array) -> Array:
    """One of the moves that leave the opponent the fewest."""
    after = jax.vmap(played, in_axes=(None, 0))(position, jnp.arange(ACTIONS))
    answers = jnp.where(after.black == position.black, 0, after.moves.size())
    cost = answers + jax.random.uniform(key, (ACTIONS,))
    return jnp.argmin(jnp.where(mask(position), cost, jnp.inf))


OPPONENTS: Final[dict[str, Policy]] = {"random_move": random_move, "least_mobility": least_mobility}
