"""Shared parts of both kinds of environment: agents by name, their spaces, and the seeds of matches."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bots.cli.terminal import draw_turn
from bots.env.description import ContinuousActions, DiscreteActions
from bots.env.matches import MatchSequence

Observation = Any  # an array, or {"observation": array, "action_mask": array} for discrete actions


class Agents:
    """The seats of a match as agents named ``player_0`` and so on. ``seed``: seed for the first match."""

    def __init__(self, matches: MatchSequence, seed: int | None) -> None:
        self.matches = matches
        self.names = [f"player_{seat}" for seat in range(matches.seats)]
        self.seats = {name: seat for seat, name in enumerate(self.names)}
        self.metadata = {"name": f"{matches.game.name}_v0", "render_modes": ["ansi"]}
        # A space has its own random generator, so every agent has its own spaces.
        self.action_spaces = {name: _action_space(matches) for name in self.names}
        self.observation_spaces = {name: _observation_space(matches) for name in self.names}
        self._next_seed = seed
        self._seeds = random.Random(seed)  # noqa: S311 - a game

    def begin(self, seed: int | None) -> None:
        """Begin a match with this seed; if it is None, derive a seed from the previous one."""
        if seed is not None:
            self._next_seed, self._seeds = seed, random.Random(seed)  # noqa: S311 - a game
        chosen, self._next_seed = self._next_seed, None
        self.matches.begin(self._seeds.getrandbits(53) if chosen is None else chosen)

    def observe(self, name: str) -> Observation:
        """Return an agent's current observation, an element of its observation space."""
        seat = self.seats[name]
        seen = self.matches.observation(seat)
        if isinstance(self.matches.actions, DiscreteActions):
            return {"observation": seen, "action_mask": self.matches.mask(seat)}
        return seen

    def convert_action(self, name: str, action: Any) -> Any:
        """Convert an action to a number or an array.

        Raises ValueError if the action is malformed; an action that is merely illegal in the game is converted.
        """
        if isinstance(self.matches.actions, ContinuousActions):
            numbers = _to_doubles(action)
            if numbers.shape == (self.matches.actions.count,) and np.isfinite(numbers).all():
                return numbers
        elif self.action_spaces[name].contains(action):
            return int(action)
        raise ValueError(
            f"{action!r} is not a valid action for {name}. The action space is {self.action_spaces[name]}."
        )

    def infos(self, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the info for each agent.

        ``starts``: how many times the agent's bot has been started; a policy with memory must clear it when this number
        grows.
        """
        return {name: {"starts": self.matches.starts} for name in names}

    def is_out(self, name: str) -> bool:
        """Return whether an agent is done: either the match is over, or the agent's action was illegal."""
        return self.matches.outcome is not None or self.seats[name] in self.matches.out

    def render_last_turn(self) -> str:
        """Return the last turn as text, including hidden information."""
        return draw_turn(self.matches.game.name, self.matches.last_turn(), self.names)


def _to_doubles(action: Any) -> NDArray[np.float64]:
    """Convert an action to 64-bit floats; return an empty array if it is not numeric."""
    try:
        return np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        return np.empty(0)


def _action_space(matches: MatchSequence) -> spaces.Space[Any]:
    one = matches.actions
    if isinstance(one, DiscreteActions):
        return spaces.Discrete(one.size)
    return spaces.Box(one.low, one.high, (one.count,), np.float64)


def _observation_space(matches: MatchSequence) -> spaces.Space[Any]:
    one = matches.environment
    seen = spaces.Box(one.low, one.high, (one.encoding.SIZE,), np.float32)
    if not isinstance(matches.actions, DiscreteActions):
        return seen
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (matches.actions.size,), np.int8)})
