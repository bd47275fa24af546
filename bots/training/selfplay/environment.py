"""A game's interface for self-play: rules that JAX can compile and batch, and opponents for evaluation.

Two players, 0 and 1, decide one at a time in a zero-sum game. Each function handles one game; the trainer batches the
functions with ``jax.vmap``. Functions must therefore branch on values with ``jnp.where`` and preserve the shape of
every array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from jax import Array

State = Any  # a pytree of arrays, defined by the game


@dataclass(frozen=True, slots=True)
class Environment:
    """The compiled rules of a two-player game.

    ``start(key)``: a new game, seeded with a ``jax.random`` key. ``observe(state)``: what the player to move can see,
    encoded as ``inputs`` floats. ``mask(state)``: which of the ``actions`` are legal; in a finished game, any
    non-empty set of actions. ``step(state, action)``: the state after a legal action. ``player(state)``: the player
    who moves. ``lead(state)``: how far ahead player 0 is; rewards are changes in the lead. ``over(state)``: whether the
    game has ended.
    """

    inputs: int
    actions: int
    start: Callable[[Array], State]
    observe: Callable[[State], Array]
    mask: Callable[[State], Array]
    step: Callable[[State, Array], State]
    player: Callable[[State], Array]
    lead: Callable[[State], Array]
    over: Callable[[State], Array]


Policy = Callable[[State, Array], Array]
"""``policy(state, key)``: the action of the player to move, for one game; compiled and batched like the rules."""


@dataclass(frozen=True, slots=True)
class Learnable:
    """A game as the trainer sees it; its parts are given by dotted names and imported only when needed.

    ``environment`` and ``opponents``: "package.module:NAME" of an ``Environment`` and of a mapping from names to
    ``Policy``; a run's progress file shows the win rates against these opponents. ``hidden``: widths of the network's
    hidden layers. ``reward_scale``: the reward for increasing the lead by one. ``discount`` and ``trace``: gamma and
    lambda of GAE.
    """

    game: str
    environment: str
    opponents: str
    hidden: tuple[int, ...] = (256, 256)
    reward_scale: float = 0.1
    discount: float = 1.0
    trace: float = 0.95

    def load_environment(self) -> Environment:
        """Import and return the environment."""
        found: Environment = load_object(self.environment)
        return found

    def load_opponents(self) -> Mapping[str, Policy]:
        """Import and return the opponents for evaluation, keyed by name."""
        found: Mapping[str, Policy] = load_object(self.opponents)
        return found


def load_object(name: str) -> Any:
    """Return the object named "package.module:NAME"."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
