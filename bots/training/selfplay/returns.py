"""Rewards between a player's own decisions, and generalized advantage estimation over them.

Both players decide in one game, each with its own trajectory: the reward for a decision is the change in the player's
lead until that player's next decision, or until the end of the game. Two kinds of decisions are not used for learning:
those of past models, and a player's last decision in a trajectory that ends before the game does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array, lax

from bots.training.selfplay.environment import State
from bots.training.selfplay.sampling import Trajectory


@jax.tree_util.register_dataclass
@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of decisions to learn from, with shape (decisions, …); decisions of ``weight`` 0 are ignored."""

    state: State
    action: Array
    log_probability: Array
    value: Array
    advantage: Array
    weight: Array


@dataclass(frozen=True, slots=True)
class GaeParameters:
    """GAE parameters.

    ``scale``: the reward for a lead of one; ``discount`` and ``trace``: gamma and lambda as in J. Schulman et al.,
    arXiv:1506.02438.
    """

    scale: float = 0.1
    discount: float = 1.0
    trace: float = 0.95


# Per player: the value and own lead at the player's next decision, its advantage, and whether there is a next decision.
_Following = tuple[Array, Array, Array, Array]
_USED: Final = ("value", "player", "lead", "lead_after", "ended", "learns")


def compute_advantages(played: Trajectory, credit: GaeParameters) -> tuple[Array, Array]:
    """Return the advantages and the weights, each of shape (length, games)."""
    games = played.last_player.shape[0]
    players = jnp.arange(2)
    sign = jnp.array([1.0, -1.0])  # sign of the lead
    mover = played.last_player[:, None] == players
    following = (
        jnp.where(mover, played.last_value[:, None], 0.0),
        played.last_lead[:, None] * sign,
        jnp.zeros((games, 2)),
        mover,
    )

    def step_back(carry: _Following, step: Mapping[str, Array]) -> tuple[_Following, tuple[Array, Array]]:
        ended = step["ended"][:, None]
        value = jnp.where(ended, 0.0, carry[0])
        lead = jnp.where(ended, step["lead_after"][:, None] * sign, carry[1])
        later = jnp.where(ended, 0.0, carry[2])
        known = ended | carry[3]
        now = step["lead"][:, None] * sign
        delta = credit.scale * (lead - now) + credit.discount * value - step["value"][:, None]
        advantage = jnp.where(known, delta + credit.discount * credit.trace * later, 0.0)
        mine = step["player"][:, None] == players
        carry = (
            jnp.where(mine, step["value"][:, None], value),
            jnp.where(mine, now, lead),
            jnp.where(mine, advantage, later),
            known | mine,
        )
        return carry, (_select_player(mine, advantage), _select_player(mine, known) * step["learns"])

    _, (found, weight) = lax.scan(step_back, following, {name: getattr(played, name) for name in _USED}, reverse=True)
    return found, weight.astype(jnp.float32)


def _select_player(mine: Array, values: Array) -> Array:
    return jnp.where(mine, values, 0).sum(axis=1)


def flatten_batch(played: Trajectory, credit: GaeParameters) -> Batch:
    """Return all decisions in a trajectory, flattened."""
    found, weight = compute_advantages(played, credit)
    parts = Batch(played.state, played.action, played.log_probability, played.value, found, weight)
    flat: Batch = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), parts)
    return flat
